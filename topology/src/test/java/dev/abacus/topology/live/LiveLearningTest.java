package dev.abacus.topology.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.observation.LiveAnswer;
import dev.abacus.schemas.plan.LearnedAnswers;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.TrainedClassifier;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What live documents teach, through the topology. The model says refund, and that it is urgent.
 */
class LiveLearningTest extends DocumentTopologyFixture {

  private static final String ON = "learning: { audit: 0.2, target: 0.9 }\n";
  private static final String OTHER = "{\"intent\":\"other\"}";

  /** One dimension: 1 for a text with "money", else -1. */
  private static final class Money implements Embedder {

    @Override
    public String name() {
      return "money";
    }

    @Override
    public EmbeddingAnswer embed(List<String> texts) {
      return new EmbeddingAnswer.Success(
          texts.stream()
              .map(text -> Embedding.of(new float[] {text.contains("money") ? 1 : -1, 0}))
              .toList(),
          new ExecutionStats(0, 0.01, 1));
    }
  }

  @BeforeEach
  void learn() {
    furtherSettings = ON;
    learning = new LiveLearning(new Money(), "abacus-triage");
  }

  @Test
  void answersOfModelsArriveWithTheirDocument() throws Exception {
    start("json", null);
    activate(1);
    send("a", "{\"id\":\"a\",\"text\":\"my money\"}");
    assertThat(answers())
        .extracting(LiveAnswer::operator, LiveAnswer::answer, LiveAnswer::probability)
        .containsExactly(
            tuple("classify", "{\"intent\":\"refund\"}", 1.0), tuple("urgent", "true", 1.0));
    assertThat(results().readRecord().key()).isEqualTo("a");
  }

  @Test
  void theAnswerOfADroppedDocumentIsKept() throws Exception {
    decision = "false";
    start("json", null);
    activate(1);
    send("a", "{\"id\":\"a\",\"text\":\"my money\"}");
    assertThat(answers()).extracting(LiveAnswer::answer).contains("false");
    assertThat(results().isEmpty()).isTrue();
  }

  @Test
  void nothingIsWrittenUnlessTheProgramLearns() throws Exception {
    furtherSettings = "learning: off\n";
    start("json", null);
    activate(1);
    send("a", "{\"id\":\"a\",\"text\":\"my money\"}");
    assertThat(answers()).isEmpty();
  }

  @Test
  void aConfidentClassifierAnswersAndAnAuditedDocumentGetsTheModelsAnswer() throws Exception {
    start("json", null);
    learned = Map.of("classify", otherFor("classify"));
    activate(1);
    int others = 0;
    for (int i = 0; i < 200; i++) {
      send("a", "{\"id\":\"a\",\"text\":\"weather\"}");
    }
    List<LiveAnswer> classified =
        answers().stream().filter(answer -> answer.operator().equals("classify")).toList();
    for (TestRecord<String, byte[]> result : results().readRecordsToList()) {
      others += text(Objects.requireNonNull(result.value())).contains("other") ? 1 : 0;
    }
    assertThat(classified).hasSizeBetween(20, 60);
    assertThat(classified).allMatch(answer -> OTHER.equals(answer.predicted()));
    assertThat(classified).allMatch(answer -> answer.probability() == 0.2);
    assertThat(others).isEqualTo(200 - classified.size());
    assertThat(calls).isEqualTo(200 + classified.size());
    assertThat(audits).as("calls for checks, as the bill has them").isEqualTo(classified.size());
  }

  @Test
  void aDocumentThatNoClassifierIsSureOfIsAsked() throws Exception {
    start("json", null);
    learned = Map.of("classify", otherFor("classify"));
    activate(1);
    send("a", "{\"id\":\"a\",\"text\":\"my money\"}");
    assertThat(answers().getFirst().predicted()).isNull();
    assertThat(text(results().readValue())).contains("refund");
  }

  @Test
  void classifiersOfAnotherPromptDoNotAnswer() throws Exception {
    start("json", null);
    learned = Map.of("classify", otherFor("urgent"));
    activate(1);
    send("a", "{\"id\":\"a\",\"text\":\"weather\"}");
    assertThat(text(results().readValue())).contains("refund");
  }

  /** A classifier that answers "other" to texts without "money", as learnt from an operator. */
  private LearnedAnswers otherFor(String operator) {
    return new LearnedAnswers(
        LiveAnswer.question(
            new PlanStep(
                Objects.requireNonNull(
                    Objects.requireNonNull(programPlans.state().program()).operator(operator)),
                new ModelSelection("gpt-4o"))),
        "money",
        0.2,
        new TrainedClassifier(
            List.of(OTHER, "{\"intent\":\"refund\"}"),
            TrainedClassifier.encode(new float[][] {{-5, 0, 0}, {5, 0, 0}}),
            List.of(0.9, 2.0),
            0.95,
            100));
  }

  private List<LiveAnswer> answers() throws Exception {
    List<LiveAnswer> answers = new ArrayList<>();
    for (TestRecord<String, byte[]> record : liveAnswers().readRecordsToList()) {
      answers.add(Json.read(Objects.requireNonNull(record.value()), LiveAnswer.class));
    }
    return answers;
  }
}
