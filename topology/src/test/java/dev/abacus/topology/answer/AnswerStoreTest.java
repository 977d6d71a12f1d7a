package dev.abacus.topology.answer;

import static dev.abacus.topology.model.ScriptedModelClient.fail;
import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.OperatorReuse;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.Media;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.telemetry.ProgramCounters;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which answers are stored, and when they are used. */
@Timeout(30)
class AnswerStoreTest extends AnswerStoreFixture {

  @Test
  void twoProgramsWithTheSameRequestPayOnce() throws InterruptedException {
    ModelAnswer.Success paid = success(program("a").call(request("one")));
    ModelAnswer.Success saved = success(program("b").call(request("one")));
    assertThat(model.requests()).hasSize(1);
    assertThat(paid.cost()).isPositive();
    assertThat(saved.text()).isEqualTo(paid.text());
    assertThat(saved.cost()).isZero();
    assertThat(saved.attempts()).isZero();
    assertThat(saved.latency()).isLessThan(paid.latency());
    assertThat(saved.tokens()).isEqualTo(TokenCounts.ofStored(paid.tokens().total()));
    assertThat(store.reuse("a").saved()).isZero();
    assertThat(store.reuse("b").requests()).isEqualTo(1);
    assertThat(store.reuse("b").saved()).isEqualTo(1);
    assertThat(store.reuse("b").savedUsd()).isEqualTo(paid.cost());
    assertThat(store.reuse("b").savedTokens()).isEqualTo(paid.tokens().total());
  }

  @Test
  void theLatestRequestsOfAnOperatorAreReported() throws InterruptedException {
    ModelClient endless =
        _ ->
            new ModelAnswer.Success(
                "yes", new ExecutionStats(0.01, 0.5, 1, TokenCounts.of(10, 0, 1)), List.of());
    ModelClient client = store(10 << 20).around(endless, "a", () -> true);
    ProgramCounters counters = new ProgramCounters();
    OperatorExecutor executor =
        counters.around((_, _, document, counted) -> {
          var _ = counted.call(request(document.get("text").asText()));
          return new OperatorOutcome.Kept(document, ExecutionStats.NONE);
        });
    for (int i = 0; i < 5_000; i++) {
      // All of the first are different; later, every second one repeats.
      String text = i < 2_000 || i % 2 == 0 ? "new " + i : "old";
      var _ =
          executor.execute(
              new SemanticFilter("classify", "in", "It is.", List.of("text")),
              new ModelSelection("m"),
              Document.empty().with("text", JsonNodeFactory.instance.textNode(text)),
              client);
    }

    OperatorReuse reuse = counters.reuse().getFirst();
    assertThat(reuse.operator()).isEqualTo("classify");
    assertThat(reuse.requests()).isBetween(1_000L, 2_000L);
    assertThat(reuse.saved() / (double) reuse.requests()).isBetween(0.4, 0.5);
    assertThat(reuse.savedTokens() / (double) reuse.tokens()).isBetween(0.4, 0.5);
  }

  @Test
  void theKeyContainsTheRequestAndTheEndpointOfTheModel() throws InterruptedException {
    List<ModelRequest> different =
        List.of(
            request("one"),
            request("two"),
            ModelRequest.of("m", "other", List.of(new Content.Text("one")), schema("s")),
            ModelRequest.of("m", "system", List.of(new Content.Text("one")), schema("t")),
            ModelRequest.of("m", "system", List.of(new Content.Text("one")), null),
            ModelRequest.of("n", "system", List.of(new Content.Text("one")), schema("s")),
            request("one").withLogprobs(),
            request("one").withContent(List.of(Content.of("image/png", "aaaa"))),
            request("one").withContent(List.of(Content.of("image/png", "aaab"))));
    for (ModelRequest request : different) {
      program("a").call(request);
      program("a").call(request);
    }
    assertThat(model.requests()).isEqualTo(different);
    assertThat(AnswerStore.identity(ModelCard.chat("m").contextTokens(9).build(), "http://a"))
        .isNotEqualTo(
            AnswerStore.identity(ModelCard.chat("m").contextTokens(9).build(), "http://b"))
        .isNotEqualTo(
            AnswerStore.identity(
                ModelCard.chat("m").contextTokens(9).reasoningEffort("low").build(), "http://a"));
  }

  @Test
  void sampledAnswersRemoteImagesAndUnknownModelsAreNotStored() throws InterruptedException {
    List<ModelRequest> unstored =
        List.of(
            request("one").withTemperature(0.7),
            request("one")
                .withContent(
                    List.of(new Content.Attachment(Media.Reference.of("http://x/cat.png")))),
            ModelRequest.of("unknown", "s", List.of(new Content.Text("one")), null));
    for (ModelRequest request : unstored) {
      program("a").call(request);
      program("a").call(request);
    }
    assertThat(model.requests()).hasSize(6);
    assertThat(store.size()).isZero();
    program("a")
        .call(
            request("x")
                .withContent(List.of(new Content.Attachment(Media.Reference.of("data:,a")))));
    assertThat(store.size()).isEqualTo(1);
  }

  @Test
  void aFailureIsNotStored() throws InterruptedException {
    ScriptedModelClient failing =
        new ScriptedModelClient(fail(new ModelFailure.Declined("no")), say("yes"));
    ModelClient client = store.around(failing, "a", () -> true);
    assertThat(client.call(request("one")).failure()).isNotNull();
    assertThat(client.call(request("one")).failure()).isNull();
    assertThat(failing.requests()).hasSize(2);
  }

  @Test
  void anAnswerWithoutTheRequestedFormIsForgottenByAllWorkers() throws InterruptedException {
    program("a").call(request("one"));
    program("a").discard(request("one"));
    program("b").call(request("one"));
    assertThat(model.requests()).hasSize(2);
    assertThat(shared).hasSize(3);
    assertThat(shared.get(1)).isEqualTo("-" + shared.get(0));
  }

  @Test
  void anAnswerIsUsedUpToItsAge() throws InterruptedException {
    program("a").call(request("one"));
    now = now.plus(HOUR);
    program("a").call(request("one"));
    assertThat(model.requests()).hasSize(1);
    now = now.plusMillis(1);
    program("a").call(request("one"));
    assertThat(model.requests()).hasSize(2);
  }

  @Test
  void theStoreIsBoundedInSize() throws InterruptedException {
    AnswerStore small = store(5_000);
    ModelClient client = small.around(model, "a", () -> true);
    for (int i = 0; i < 100; i++) {
      client.call(request("document " + i));
    }
    assertThat(small.size()).isBetween(1L, 15L);
  }

  @Test
  void anotherWorkersAnswerIsUsedUnlessItIsTooOld() throws InterruptedException {
    AnswerStore other = store(1 << 20);
    List<byte[]> written = new ArrayList<>();
    AnswerStore writing =
        new AnswerStore(
            new AnswerStore.Settings(HOUR, 1 << 20, 0),
            _ -> endpoint,
            () -> now,
            new AnswerLog() {
              @Override
              public void write(String key, byte[] answer, long position) {
                written.add(answer);
                shared.add(key);
              }

              @Override
              public void remove(String key) {}
            });
    writing.complete();
    writing.around(model, "a", () -> true).call(request("one"));
    long tooOld = now.minus(HOUR).toEpochMilli() - 1;
    other.apply(shared.getLast(), written.getFirst(), 0, tooOld, 0);
    assertThat(other.size()).isZero();
    other.apply(shared.getLast(), written.getFirst(), 1, now.toEpochMilli(), 1);
    ModelAnswer.Success saved =
        success(other.around(new ScriptedModelClient(), "b", () -> true).call(request("one")));
    assertThat(saved.text()).isEqualTo("yes");
    other.apply(shared.getLast(), null, 2, now.toEpochMilli(), 2);
    assertThat(other.size()).isZero();
  }
}
