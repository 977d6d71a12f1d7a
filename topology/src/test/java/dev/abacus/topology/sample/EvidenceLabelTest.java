package dev.abacus.topology.sample;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.LearnedCascade;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.StreamJoin;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EvidenceLabelTest {

  private static final SemanticFilter FILTER =
      new SemanticFilter("keep", "in", "It is a complaint.", List.of("text"));
  private static final SemanticMap MAP =
      new SemanticMap(
          "classify",
          "in",
          "Which?",
          List.of("text"),
          List.of(
              new Field("intent", new FieldType.StringType(List.of("card", "loan")), "", false)));

  private static SampleTask task(LogicalOperator operator, @Nullable JsonNode label) {
    return SampleTask.builder("t", "p")
        .operator(operator)
        .physical(new LearnedCascade("m", "e", 0.9, null))
        .exampleId("x")
        .input(Document.empty())
        .label(label)
        .judge("judge")
        .build();
  }

  private static Evidence.Embedded said(JsonNode answer) {
    return new Evidence.Embedded("e", "AACAPw==", answer, false, null, null);
  }

  private static Evidence.Embedded labelled(JsonNode answer) {
    return new Evidence.Embedded("e", "AACAPw==", answer, true, null, null);
  }

  private static JsonNode intent(String value) {
    return JsonNodeFactory.instance.objectNode().put("intent", value);
  }

  @Test
  void theLabelTakesThePlaceOfTheModelsAnswer() {
    assertThat(EvidenceLabel.apply(task(FILTER, BooleanNode.TRUE), said(BooleanNode.FALSE)))
        .isEqualTo(labelled(BooleanNode.TRUE));
    assertThat(EvidenceLabel.apply(task(MAP, intent("Loan ")), said(TextNode.valueOf("card"))))
        .isEqualTo(labelled(TextNode.valueOf("loan")));
  }

  @Test
  void withoutALabelTheModelsAnswerStays() {
    Evidence.Embedded said = said(TextNode.valueOf("card"));
    assertThat(EvidenceLabel.apply(task(MAP, null), said)).isSameAs(said);
    assertThat(EvidenceLabel.apply(task(MAP, JsonNodeFactory.instance.objectNode()), said))
        .isSameAs(said);
    assertThat(EvidenceLabel.apply(task(FILTER, BooleanNode.TRUE), null)).isNull();
  }

  @Test
  void aLabelThatIsNoAnswerTeachesNothing() {
    assertThat(EvidenceLabel.apply(task(MAP, intent("other")), said(TextNode.valueOf("card"))))
        .isNull();
  }

  @Test
  void theLabelOfAPairOfStreamsSaysWhetherTheTwoMatch() {
    StreamJoin join =
        new StreamJoin(
            "fit",
            "in",
            "others",
            Duration.ofMinutes(1),
            null,
            "They fit.",
            List.of("text"),
            JoinKind.INNER,
            "other",
            null);
    Evidence said =
        new Evidence.Pairs(List.of(new Evidence.Pair(null, 0.7, false, false, 1.0, null)));
    assertThat(EvidenceLabel.apply(task(join, BooleanNode.TRUE), said))
        .isEqualTo(
            new Evidence.Pairs(List.of(new Evidence.Pair(null, 0.7, true, true, 1.0, null))));
    assertThat(EvidenceLabel.apply(task(join, null), said)).isSameAs(said);
  }

  @Test
  void aloneALabelTeachesWhatItSaysAndNothingElse() {
    Evidence.Embedded open = said(NullNode.getInstance());
    assertThat(EvidenceLabel.only(task(MAP, intent("Loan")), open))
        .isEqualTo(labelled(TextNode.valueOf("loan")));
    assertThat(EvidenceLabel.only(task(MAP, intent("other")), open)).isNull();
    assertThat(EvidenceLabel.only(task(MAP, null), open)).isNull();
    Evidence.Pair known = new Evidence.Pair(null, 0.7, true, true, 1.0, null);
    assertThat(
            EvidenceLabel.only(
                task(FILTER, null),
                new Evidence.Pairs(
                    List.of(known, new Evidence.Pair(null, 0.2, false, false, 1.0, null)), 0.1)))
        .isEqualTo(new Evidence.Pairs(List.of(known), 0.1));
  }
}
