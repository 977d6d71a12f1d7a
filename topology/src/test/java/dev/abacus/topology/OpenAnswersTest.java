package dev.abacus.topology;

import static dev.abacus.topology.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ReceiptedCalls;
import dev.abacus.topology.model.Receipts;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.runtime.OpenCalls;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** An answer counts in the open calls from the start of its call until Kafka has its receipt. */
class OpenAnswersTest {

  /** Open calls of a process that has just started. */
  private static final int BOUND = 8;

  private final OpenCalls calls = OpenCalls.of(200);
  private final OpenCalls.OfProgram others = calls.ofProgram();
  private final AtomicReference<Thread> next = new AtomicReference<>();

  /** Calls a model at the bound; a further call starts while the answer is being recorded. */
  private void call(ScriptedModelClient.Line reply) throws InterruptedException {
    for (int i = 1; i < BOUND; i++) {
      others.start();
    }
    Receipts receipts =
        new Receipts() {
          @Override
          public void record(String requestHash, byte[] receipt) {
            Thread another = startAnother();
            until(another, Thread.State.WAITING);
            next.set(another);
          }
        };
    var _ =
        new ReceiptedCalls(receipts, _ -> {})
            .around(ModelAccess.bounded(calls.ofProgram(), ScriptedModelClient.always(reply)))
            .call(ModelRequest.of("m", "s", List.of(new Content.Text("u")), null));
  }

  private Thread startAnother() {
    return Thread.ofPlatform()
        .start(() -> {
          try {
            others.start();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  @Test
  void noCallStartsBetweenAnAnswerAndItsReceipt() throws InterruptedException {
    call(ScriptedModelClient.say("{}"));
    Objects.requireNonNull(next.get()).join();
  }

  @Test
  void aFailureGivesItsPlaceUp() throws InterruptedException {
    call(ScriptedModelClient.fail(new ModelFailure.TimedOut("too slow")));
    Thread another = startAnother();
    another.join();
    assertThat(next).hasValue(null);
  }
}
