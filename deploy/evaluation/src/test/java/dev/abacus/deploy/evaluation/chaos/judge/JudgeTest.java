package dev.abacus.deploy.evaluation.chaos.judge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.evaluation.chaos.judge.History.Activation;
import dev.abacus.deploy.evaluation.chaos.judge.History.Call;
import dev.abacus.deploy.evaluation.chaos.judge.History.Copy;
import dev.abacus.deploy.evaluation.chaos.judge.History.Incident;
import dev.abacus.deploy.evaluation.chaos.judge.History.Kind;
import dev.abacus.deploy.evaluation.chaos.judge.History.Output;
import dev.abacus.deploy.evaluation.chaos.judge.History.Plan;
import dev.abacus.deploy.evaluation.chaos.judge.History.Sent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A faultless history passes; each planted fault is found, by the verdict that it belongs to. */
class JudgeTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int DOCUMENTS = 100;
  private static final long STEP = 100;

  private static final Judge JUDGE =
      new Judge(
          Map.of(
              "chain", Shape.PerDocument.one(),
              "keep", new Shape.PerDocument(List.of(0, 1, 1)),
              "many", new Shape.PerDocument(List.of(2, 1, 0, 3)),
              "window", new Shape.Aggregated(1_000),
              "limit", new Shape.Limited(3, 1_000),
              "join", new Shape.Paired("join.left", "join.right", "partner")),
          new Judge.Limits(
              1_000,
              1_000,
              10_000,
              0.002,
              5,
              6,
              3_000,
              9_000,
              Map.of("capped", new Judge.Cap(0.01, 2_000)),
              Map.of("chain", new Judge.Draw(0.1, 10))));

  /** USD of a call of the program with a cap, whose windows spend 0.94 of it. */
  private static final double CALL = 0.00047;

  private final List<Sent> sent = new ArrayList<>();
  private final List<Output> outputs = new ArrayList<>();
  private final List<Call> calls = new ArrayList<>();
  private final List<Plan> plans = new ArrayList<>();
  private final List<Activation> activations = new ArrayList<>();
  private final List<Copy> copies = new ArrayList<>();
  private final List<Incident> incidents = new ArrayList<>();

  /** Epoch 1 until 5 s, then epoch 2; a document every 100 ms, and its results 300 ms later. */
  JudgeTest() {
    for (int epoch = 1; epoch <= 2; epoch++) {
      plans.add(new Plan("chain", epoch, Map.of("topic", new Plan.Step(epoch, "model-" + epoch))));
      activations.add(new Activation("chain", epoch, (epoch - 1) * 5_000L));
    }
    for (int number = 0; number < DOCUMENTS; number++) {
      long at = number * STEP;
      for (String program : List.of("chain", "keep", "many", "window", "limit")) {
        sent.add(document(program, program + ".documents", number, at));
      }
      sent.add(document("join", "join.left", number, at));
      if (number % 2 == 0) {
        sent.add(document("join", "join.right", number, at));
        outputs.add(pair(number, number));
      }
      if (number % 10 == 0) {
        copies.add(new Copy("chain", Copy.Topic.EXAMPLES, position(number)));
        copies.add(new Copy("chain", Copy.Topic.REQUESTS, position(number)));
      }
      outputs.add(chain(number, at < 5_000 ? 1 : 2, at));
      calls.add(call(number, "worker-1.1", at));
      if (number < 50) {
        calls.add(new Call("capped", number, "worker-1.1", "c-" + number, at, at + 200, CALL));
      }
      if (number % 3 != 0) {
        outputs.add(output("keep", number, value(number), at));
      }
      for (int item = 0; item < List.of(2, 1, 0, 3).get(number % 4); item++) {
        ObjectNode value = value(number).put("item", item);
        String key = "key-" + number % 7 + "#" + (item + 1);
        outputs.add(new Output("many", false, 0, number, key, value, null, "", at + 300));
      }
      if (number % 10 < 3) {
        outputs.add(output("limit", number, value(number), at));
      }
      if (number % 10 == 9) {
        outputs.add(window("all", IntStream.rangeClosed(number - 9, number)));
      }
    }
  }

  private static Sent document(String program, String source, int number, long at) {
    String key = "key-" + number % 7;
    return new Sent(program, source, key, "all", number, number % 2, number / 2, at);
  }

  private static String position(int number) {
    return "chain.documents-%d@%d".formatted(number % 2, number / 2);
  }

  private static ObjectNode value(int number) {
    return JSON.createObjectNode().put("number", number);
  }

  private static Output output(String program, int number, ObjectNode value, long at) {
    return new Output(program, false, 0, number, "key-" + number % 7, value, null, "", at + 300);
  }

  private static Output pair(int left, int right) {
    ObjectNode value = value(left);
    value.putObject("partner").put("number", right);
    String key = "key-" + left % 7;
    return new Output("join", false, 0, left, key + "#" + key, value, null, "", left * STEP + 300);
  }

  private static Output window(String group, IntStream members) {
    ObjectNode value = JSON.createObjectNode();
    ArrayNode numbers = value.putArray("numbers");
    members.forEach(numbers::add);
    value.put("messages", numbers.size());
    long at = numbers.path(0).asLong() * STEP + 1_300;
    return new Output("window", false, 0, at, group, value, null, "", at);
  }

  private static Output chain(int number, long epoch, long at) {
    ObjectNode value =
        value(number).put("topic", "plan=%d;model=model-%d;n=%d".formatted(epoch, epoch, number));
    return new Output("chain", false, 0, number, "key-" + number % 7, value, epoch, "", at + 300);
  }

  private static Call call(int number, String worker, long at) {
    return new Call("chain", number, worker, "request-" + number, at, at + 200, 0.0002);
  }

  private History history() {
    return new History(sent, outputs, calls, plans, activations, copies, incidents);
  }

  private List<String> violated() {
    return JUDGE.judge(history()).stream()
        .filter(verdict -> !verdict.holds())
        .map(Verdict::guarantee)
        .toList();
  }

  private Output first(String program) {
    return outputs.stream().filter(it -> it.program().equals(program)).findFirst().orElseThrow();
  }

  @Test
  void aFaultlessHistoryHoldsAndEveryGuaranteeIsTested() {
    assertThat(JUDGE.judge(history()))
        .allSatisfy(verdict -> {
          assertThat(verdict.examples()).isEmpty();
          assertThat(verdict.checked()).as(verdict.guarantee()).isPositive();
        });
  }

  @Test
  void aLostOutputOfAnyProgramIsFound() {
    for (String program : JUDGE.shapes().keySet()) {
      Output lost = first(program);
      outputs.remove(lost);
      assertThat(violated()).as(program).contains("nothing lost");
      outputs.addFirst(lost);
    }
    assertThat(violated()).isEmpty();
  }

  @Test
  void aDoubledOutputOfAnyProgramIsFound() {
    for (String program : JUDGE.shapes().keySet()) {
      outputs.add(first(program));
      assertThat(violated()).as(program).contains("nothing doubled");
      outputs.removeLast();
    }
  }

  @Test
  void anOutputThatTheFilterShouldDropIsFound() {
    outputs.add(output("keep", 3, value(3), 300));
    assertThat(violated()).containsExactly("nothing doubled");
  }

  @Test
  void aDocumentThatIsDrawnTwiceIsFound() {
    for (Copy.Topic topic : Copy.Topic.values()) {
      copies.removeIf(copy -> copy.topic() == topic && copy.source().equals(position(20)));
      copies.add(new Copy("chain", topic, position(10)));
      assertThat(violated()).as("%s", topic).containsExactly("drawn as set");
      copies.removeLast();
      assertThat(violated()).isEmpty();
    }
  }

  @Test
  void aDrawnDocumentThatWasNotSentIsFound() {
    copies.set(0, new Copy("chain", Copy.Topic.EXAMPLES, position(1_000)));
    assertThat(violated()).containsExactly("drawn as set");
  }

  @Test
  void moreDocumentsThanAreToBeDrawnAreFound() {
    copies.add(new Copy("chain", Copy.Topic.REQUESTS, position(1)));
    assertThat(violated()).containsExactly("drawn as set");
    copies.removeLast();
    for (int number = 1; number < 30; number += 2) {
      copies.add(new Copy("chain", Copy.Topic.EXAMPLES, position(number)));
    }
    assertThat(violated()).containsExactly("drawn as set");
  }

  @Test
  void aDeadLetterIsNoLossButIsReported() {
    Output result = first("chain");
    outputs.set(
        outputs.indexOf(result),
        new Output("chain", true, 0, 0, "key-0", value(0), null, "OutOfMemory", 300));
    assertThat(violated()).containsExactly("no dead letters");
  }

  @Test
  void aDocumentWhoseGroupIsTooLargeMayBecomeADeadLetter() {
    Output result = first("chain");
    ObjectNode large = value(0).put("group", "g".repeat(850_000));
    outputs.set(
        outputs.indexOf(result),
        new Output("chain", true, 0, 0, "key-0", large, null, "RecordTooLarge", 300));
    assertThat(violated()).isEmpty();
  }

  @Test
  void aResultBeyondTheLimitOfAWindowIsFound() {
    outputs.add(output("limit", 5, value(5), 500));
    assertThat(violated()).containsExactly("limits exact");
  }

  @Test
  void resultsOfAKeyInTheWrongOrderAreFound() {
    Output result = first("chain");
    outputs.set(
        outputs.indexOf(result),
        new Output("chain", false, 0, 1_000, "key-0", result.value(), 1L, "", 300));
    assertThat(violated()).containsExactly("order per key");
  }

  @Test
  void aFieldOfAnotherPlanOrModelIsFound() {
    Output result = first("chain");
    for (String answer : List.of("plan=2;model=model-1;n=0", "plan=1;model=model-2;n=0")) {
      outputs.set(
          outputs.indexOf(first("chain")),
          new Output(
              "chain", false, 0, 0, "key-0", value(0).put("topic", answer), 1L, "", result.at()));
      assertThat(violated()).containsExactly("no mix of epochs");
    }
  }

  /** The first result of the program with another key, value and epoch. */
  private void changeFirst(String program, String key, JsonNode value, @Nullable Long epoch) {
    Output result = first(program);
    outputs.set(
        outputs.indexOf(result),
        new Output(program, false, 0, result.offset(), key, value, epoch, "", result.at()));
  }

  @Test
  void theAnswerToAnotherDocumentIsFound() {
    changeFirst("chain", "key-0", value(0).put("topic", "plan=1;model=model-1;n=1"), 1L);
    assertThat(violated()).containsExactly("own answers");
  }

  @Test
  void aResultWithTheKeyOfAnotherDocumentIsFound() {
    for (String program : List.of("chain", "many", "limit", "join")) {
      Output result = first(program);
      changeFirst(program, "key-9", result.value(), result.epoch());
      assertThat(violated()).as(program).containsExactly("own documents");
      changeFirst(program, result.key(), result.value(), result.epoch());
      assertThat(violated()).isEmpty();
    }
  }

  @Test
  void theResultsOfAKeyInTwoPartitionsAreFound() {
    Output result = first("chain");
    outputs.set(
        outputs.indexOf(result),
        new Output("chain", false, 1, 0, "key-0", result.value(), 1L, "", result.at()));
    assertThat(violated()).containsExactly("order per key");
  }

  @Test
  void aPairWithTheWrongPartnerIsFound() {
    outputs.set(outputs.indexOf(first("join")), pair(0, 2));
    assertThat(violated()).containsExactly("own documents");
  }

  @Test
  void documentsInTheWrongGroupOrWindowOrCountAreFound() {
    Output right = first("window");
    int place = outputs.indexOf(right);
    outputs.set(place, window("other", IntStream.range(0, 10)));
    assertThat(violated()).containsExactly("own documents");
    outputs.set(place, window("all", IntStream.range(0, 20)));
    outputs.removeIf(
        it -> it.program().equals("window") && it.value().at("/numbers/0").asInt() == 10);
    assertThat(violated()).containsExactly("own documents");
    outputs.set(place, window("all", IntStream.range(0, 10)));
    outputs.add(window("all", IntStream.range(10, 20)));
    assertThat(violated()).isEmpty();
    outputs.add(window("all", IntStream.empty()));
    assertThat(violated()).containsExactly("own documents");
    outputs.removeLast();
    ((ObjectNode) outputs.getLast().value()).put("messages", 11);
    assertThat(violated()).containsExactly("own documents");
  }

  @Test
  void aWindowThatIsEmittedInTwoPartsIsFound() {
    outputs.set(outputs.indexOf(first("window")), window("all", IntStream.range(0, 4)));
    outputs.add(window("all", IntStream.range(4, 10)));
    assertThat(violated()).containsExactly("nothing doubled");
  }

  @Test
  void aDeadLetterBesideAResultOrAnotherDeadLetterIsFound() {
    ObjectNode large = value(0).put("group", "g".repeat(850_000));
    Output letter = new Output("chain", true, 0, 0, "key-0", large, null, "RecordTooLarge", 300);
    outputs.add(letter);
    assertThat(violated()).containsExactly("nothing doubled");
    outputs.set(outputs.indexOf(first("chain")), letter);
    assertThat(violated()).containsExactly("nothing doubled");
    outputs.removeLast();
    assertThat(violated()).isEmpty();
  }

  @Test
  void aResultWithoutAnEpochOrWithOneThatWasNeverPublishedIsFound() {
    for (Long epoch : Arrays.asList(null, 3L)) {
      changeFirst("chain", "key-0", value(0), epoch);
      assertThat(violated()).as("epoch %s", epoch).containsExactly("no mix of epochs");
    }
  }

  @Test
  void anEpochThatIsPublishedButNotActivatedYetIsFound() {
    plans.add(new Plan("chain", 3, Map.of("topic", new Plan.Step(3, "model-3"))));
    outputs.set(outputs.indexOf(first("chain")), chain(0, 3, 0));
    assertThat(violated()).containsExactly("no stale epochs");
    outputs.set(outputs.indexOf(first("chain")), chain(0, 2, 0));
    assertThat(violated()).containsExactly("no stale epochs");
  }

  @Test
  void anEndedEpochOnALaterDocumentIsFound() {
    outputs.removeIf(it -> it.program().equals("chain") && it.number() == 61);
    outputs.add(chain(61, 1, 6_100));
    assertThat(violated()).containsExactly("no stale epochs");
  }

  @Test
  void anEpochThatEndedLessThanASecondAgoIsAllowed() {
    outputs.removeIf(it -> it.program().equals("chain") && it.number() == 59);
    outputs.add(chain(59, 1, 5_900));
    assertThat(violated()).isEmpty();
  }

  @Test
  void aCallThatIsPaidForTwiceIsFound() {
    calls.add(call(7, "worker-2.1", 5_000));
    assertThat(violated()).containsExactly("not paid twice");
  }

  @Test
  void aCallThatWasInFlightAtTheKillOfItsOwnWorkerMayBeRepeated() {
    calls.add(call(7, "worker-2.1", 5_000));
    incidents.add(new Incident(Kind.WORKER_KILLED, "worker-1.1", 1_500, 1_500));
    assertThat(violated()).isEmpty();
  }

  @Test
  void aCallThatTheProviderReadAfterTheKillWasInFlight() {
    calls.add(call(7, "worker-2.1", 5_000));
    Call first = calls.stream().filter(it -> it.number() == 7).findFirst().orElseThrow();
    long killed = first.started() - 2;
    incidents.add(new Incident(Kind.WORKER_KILLED, "worker-1.1", killed, killed));
    assertThat(violated()).isEmpty();
  }

  @Test
  void aCallThatAFrozenWorkerHadBegunMayGoOutWhenItContinues() {
    calls.add(call(7, "worker-2.1", 5_000));
    incidents.add(new Incident(Kind.WORKER_FROZEN, "worker-2.1", 3_000, 4_990));
    assertThat(violated()).isEmpty();
  }

  @Test
  void aCallThatAFrozenWorkerBeginsWhenItContinuesIsFound() {
    calls.add(call(7, "worker-2.1", 5_000));
    incidents.add(new Incident(Kind.WORKER_FROZEN, "worker-2.1", 3_000, 4_500));
    assertThat(violated()).containsExactly("not paid twice");
  }

  @Test
  void theKillOfAnotherWorkerOrALaterKillExcusesNothing() {
    calls.add(call(7, "worker-2.1", 5_000));
    incidents.add(new Incident(Kind.WORKER_KILLED, "worker-3.1", 1_000, 1_000));
    incidents.add(new Incident(Kind.WORKER_KILLED, "worker-1.1", 4_000, 4_000));
    incidents.add(new Incident(Kind.WORKER_TERMINATED, "worker-1.1", 900, 900));
    assertThat(violated()).containsExactly("not paid twice");
  }

  @Test
  void anAnswerThatKafkaCouldNotRecordMayBeRepeated() {
    calls.add(call(7, "worker-2.1", 9_000));
    incidents.add(new Incident(Kind.WORKER_KILLED, "worker-1.1", 4_000, 4_000));
    assertThat(violated()).containsExactly("not paid twice");

    incidents.add(new Incident(Kind.BROKER_KILLED, "broker-1", 500, 500));
    assertThat(violated()).isEmpty();
  }

  @Test
  void moreRepeatsThanDocumentsInFlightAreFound() {
    incidents.add(new Incident(Kind.WORKER_KILLED, "worker-1.1", 1_500, 1_500));
    for (int number = 7; number < 14; number++) {
      calls.add(call(number, "worker-2.1", 5_000));
    }
    assertThat(violated()).containsExactly("not paid twice");
  }

  @Test
  void spendingBeyondTheCapAndTheCallsInFlightIsFound() {
    for (int number = 0; number < 60; number++) {
      calls.add(new Call("capped", number, "worker-1.1", "capped-" + number, 2_000, 2_100, 0.0002));
    }
    assertThat(violated()).containsExactly("spending caps");
  }

  private void pay(int calls, long at) {
    for (int i = 0; i < calls; i++) {
      this.calls.add(new Call("capped", 100, "worker-1.1", at + "-" + i, at, at + 100, CALL));
    }
  }

  /** A cap that nobody enforces is exceeded by little where the demand is little more. */
  @Test
  void aFewCallsBeyondTheCapAreFound() {
    pay(5, 2_000);
    assertThat(violated()).containsExactly("spending caps");
  }

  @Test
  void callsThatWaitedForTheProviderMayReachItInTheNextWindowButNotBeside() {
    pay(5, 2_000);
    incidents.add(new Incident(Kind.PROVIDER_FAULTS, "", 1_900, 1_950));
    assertThat(violated()).isEmpty();
    pay(2, 500);
    assertThat(violated()).as("both windows are full").containsExactly("spending caps");
  }

  /** The program with the cap uses no flex. */
  @Test
  void aRefusalOfFlexMovesNoCalls() {
    pay(5, 2_000);
    incidents.add(new Incident(Kind.FLEX_REFUSED, "", 1_900, 1_950));
    assertThat(violated()).containsExactly("spending caps");
  }

  /** It may spend so much more that no violation would be seen. */
  @Test
  void aWindowThatBeginsInAnOutageIsNoCaseOfACap() {
    incidents.add(new Incident(Kind.PROVIDER_FAULTS, "", 0, 100));
    assertThat(untested()).containsExactly("spending caps");
  }

  /** A document that comes before the swap can only have the first epoch. */
  @Test
  void documentsBeforeTheSwapAreNoCaseOfAStaleEpoch() {
    outputs.removeIf(it -> it.program().equals("chain") && it.number() >= 50);
    assertThat(untested()).containsExactly("no stale epochs");
  }

  private List<String> untested() {
    return JUDGE.judge(history()).stream()
        .filter(verdict -> verdict.checked() == 0)
        .map(Verdict::guarantee)
        .toList();
  }

  /** A window that does not reach the cap, a first result of a key, and one epoch show nothing. */
  @Test
  void whatCouldNotGoWrongIsNoCase() {
    calls.removeIf(call -> call.program().equals("capped") && call.number() % 2 == 0);
    sent.removeIf(document -> document.program().equals("limit") && document.number() % 10 >= 3);
    Set<String> keys = new HashSet<>();
    outputs.removeIf(output ->
        List.of("chain", "keep", "limit").contains(output.program()) && !keys.add(output.key()));
    activations.removeLast();

    assertThat(untested())
        .contains("spending caps", "limits exact", "order per key", "no stale epochs");
  }

  @Test
  void whatNoProgramIsAboutHasNoVerdict() {
    Judge.Limits limits = JUDGE.limits();
    Judge few =
        new Judge(
            Map.of("window", new Shape.Aggregated(1_000)),
            new Judge.Limits(
                1_000,
                1_000,
                10_000,
                0.002,
                5,
                6,
                limits.silenceMillis(),
                9_000,
                Map.of(),
                Map.of()));
    assertThat(few.judge(history()))
        .extracting(Verdict::guarantee)
        .containsExactly(
            "nothing lost",
            "nothing doubled",
            "no dead letters",
            "own documents",
            "not paid twice");
  }

  @Test
  void aSilentPartitionIsFoundUnlessAKillExplainsIt() {
    silenceAPartition();
    assertThat(violated()).containsExactly("silence of partitions");
    incidents.add(new Incident(Kind.WORKER_KILLED, "worker-1.1", 2_100, 2_100));
    assertThat(violated()).isEmpty();
  }

  @Test
  void theOrderedEndOfAWorkerExplainsASilenceOnlyIfNoOtherOneIsReady() {
    silenceAPartition();
    incidents.add(new Incident(Kind.WORKER_TERMINATED, "worker-1.1", 2_100, 2_100));
    assertThat(violated()).containsExactly("silence of partitions");
    incidents.add(new Incident(Kind.NO_WORKER_READY, "worker-1.1", 2_100, 2_100));
    assertThat(violated()).isEmpty();
  }

  private void silenceAPartition() {
    outputs.replaceAll(it ->
        it.program().equals("chain")
                && it.number() % 2 == 1
                && it.number() >= 21
                && it.number() < 71
            ? late(it)
            : it);
  }

  private static Output late(Output output) {
    return new Output(
        output.program(),
        false,
        output.partition(),
        output.offset(),
        output.key(),
        output.value(),
        output.epoch(),
        "",
        7_400);
  }
}
