package dev.abacus.topology.model;

import static dev.abacus.topology.model.ScriptedModelClient.fail;
import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.document.Media;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReceiptedCallsTest {

  /** Receipts in a map. */
  private static final class InMemory implements Receipts {
    final Map<String, byte[]> kept = new HashMap<>();

    @Override
    public byte @Nullable [] find(String requestHash) {
      return kept.get(requestHash);
    }

    @Override
    public void record(String requestHash, byte[] response) {
      kept.put(requestHash, response);
    }
  }

  private final InMemory receipts = new InMemory();

  private static ModelRequest request() {
    return ModelRequest.of("m", "system", List.of(new Content.Text("user")), schema("s"));
  }

  private static ResponseSchema schema(String name) {
    return new ResponseSchema(name, JsonNodeFactory.instance.objectNode().put("type", "object"));
  }

  @Test
  void aRepeatedRequestIsAnsweredFromItsReceiptWithTheOriginalCost() throws InterruptedException {
    ModelAnswer.Success first =
        new ModelAnswer.Success(
            "ünïcode",
            new ExecutionStats(0.1, 0.2, 3, new TokenCounts(9, 4, 2, 1, 11, 5)),
            List.of(new ModelAnswer.TokenLogprob("t", -1)));
    ScriptedModelClient model = new ScriptedModelClient(_ -> first);
    ModelClient client = new ReceiptedCalls(receipts, _ -> {}).around(model);
    assertThat(client.call(request())).isEqualTo(first);
    assertThat(client.call(request().withTimeout(Duration.ofSeconds(1)))).isEqualTo(first);
    assertThat(model.requests()).hasSize(1);
  }

  @Test
  void failuresLeaveNoReceipt() throws InterruptedException {
    ScriptedModelClient model =
        new ScriptedModelClient(fail(new ModelFailure.TimedOut("late")), say("good"));
    ModelClient client = new ReceiptedCalls(receipts, _ -> {}).around(model);
    assertThat(client.call(request()).failure()).isNotNull();
    assertThat(receipts.kept).isEmpty();
    assertThat(client.call(request()).failure()).isNull();
  }

  @Test
  void aDamagedReceiptLeadsToACall() throws InterruptedException {
    receipts.record(RequestHash.of(request()), new byte[] {1, 2, 3});
    ModelClient client =
        new ReceiptedCalls(receipts, _ -> {}).around(new ScriptedModelClient(say("good")));
    assertThat(client.call(request())).isInstanceOf(ModelAnswer.Success.class);
  }

  @Test
  void theHashContainsEveryFieldThatDeterminesTheAnswer() {
    Content.Text user = new Content.Text("user");
    ModelRequest request = request();
    List<ModelRequest> different =
        List.of(
            request,
            ModelRequest.of("n", "system", List.of(user), schema("s")),
            ModelRequest.of("m", "systemu", List.of(new Content.Text("ser")), schema("s")),
            request.withContent(List.of(user, user)),
            request.withContent(List.of(new Content.Attachment(Media.Reference.of("user")))),
            ModelRequest.of("m", "system", List.of(user), schema("t")),
            ModelRequest.of("m", "system", List.of(user), null),
            request.withTemperature(0.4),
            request.withOptions(new ModelRequest.Options(0, 5, false)),
            request.withOptions(new ModelRequest.Options(0, null, true)));
    Set<String> hashes = new HashSet<>();
    different.forEach(each -> hashes.add(RequestHash.of(each)));
    assertThat(hashes).hasSameSizeAs(different).allMatch(hash -> hash.matches("[0-9a-f]{64}"));
    assertThat(RequestHash.of(request()))
        .isEqualTo(RequestHash.of(request().withTimeout(Duration.ofSeconds(5))));
  }

  @Test
  void aDetourKeepsTheReceiptsInFront() throws InterruptedException {
    ScriptedModelClient shared = new ScriptedModelClient();
    ScriptedModelClient replacement = new ScriptedModelClient(say("together"));
    ModelClient client =
        new ReceiptedCalls(receipts, _ -> {}).around(shared).detour(_ -> replacement);
    client.call(request());
    client.call(request());
    assertThat(replacement.requests()).hasSize(1);
    assertThat(receipts.kept).hasSize(1);
  }
}
