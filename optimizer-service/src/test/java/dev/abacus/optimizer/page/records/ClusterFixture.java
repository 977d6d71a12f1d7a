package dev.abacus.optimizer.page.records;

import static dev.abacus.optimizer.page.records.TriagePlans.MODELS;
import static dev.abacus.optimizer.page.records.TriagePlans.cost;
import static dev.abacus.optimizer.page.records.TriagePlans.physical;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.BillRecord;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.InstanceStatusBuilder;
import dev.abacus.schemas.control.ModelWait;
import dev.abacus.schemas.control.OperatorCounts;
import dev.abacus.schemas.control.PromiseReport;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.journey.Journey;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.ReviewRequest;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.Learning;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Validation;
import dev.abacus.schemas.value.RecordValues;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** Records of a cluster with one running program, as workers, optimizer and users write them. */
public final class ClusterFixture {

  public static final String NAME = "support-triage";
  public static final Instant START = Instant.parse("2026-03-02T10:00:00Z");

  private static final KafkaNames NAMES = new KafkaNames("");

  /** The share of the documents that reach an operator and leave it. */
  private static final Map<String, List<Double>> FLOW =
      Map.of(
          "is-problem", List.of(1.0, 0.62),
          "classify", List.of(0.62, 0.61),
          "draft", List.of(0.61, 0.6));

  private static final List<QualityCounts> JUDGED =
      List.of(
          new QualityCounts(2, "is-problem", 40, 37.6, 36.2, null, null, null),
          new QualityCounts(2, "classify", 40, 35.9, 33.6, null, null, null),
          new QualityCounts(2, "draft", 40, 36.8, 35.0, null, null, null));

  private final ClusterFold fold;
  private final TriagePlans plans = TriagePlans.parse();
  private volatile Instant now = START;
  private long controlOffset;
  private long results;
  private int journeys;
  private int letters;
  private String phase = "SAMPLING";
  private int observed;

  public ClusterFixture() {
    this.fold =
        new ClusterFold(
            NAMES,
            new ControlCodec(ModelCatalogue.builtIn(), RecordValues.WITHOUT_REGISTRY),
            () -> now);
  }

  /** A program with two plans, two workers, samples and dead letters. */
  public static ClusterFixture running() {
    ClusterFixture cluster = new ClusterFixture();
    cluster.write(new ControlRecord.ProgramSet(cluster.program()));
    cluster.samples();
    cluster.search("SAMPLING", 90);
    cluster.passes(Duration.ofMinutes(4));
    cluster.write(new ControlRecord.PlanPublished(cluster.plan(1, 0, null)));
    cluster.write(
        new ControlRecord.Activated(NAME, 1, 1, "first plan after 40 samples", "optimizer"));
    cluster.passes(Duration.ofMinutes(6));
    cluster.write(
        new ControlRecord.PlanPublished(
            cluster.plan(
                2,
                2,
                new PlanPromise(
                    30,
                    new Range(0.801, 0.752, 0.846),
                    new Range(0.0019, 0.00176, 0.00196),
                    new Range(3.5, 3.1, 4.0),
                    0.9,
                    Map.of("cost", 0.97),
                    null,
                    null,
                    null,
                    null,
                    List.of(),
                    null,
                    new Range(0.81, 0.74, 0.88)))));
    cluster.write(
        new ControlRecord.Activated(
            NAME, 2, 1, "better than epoch 1: quality 0.801 instead of 0.700", "optimizer"));
    cluster.search("FINISHED", 150);
    cluster.deadLetter("m-17", "draft", "no valid answer in 3 attempts: missing field 'reply'");
    cluster.deadLetter("m-93", "draft", "no valid answer in 3 attempts: missing field 'reply'");
    cluster.deadLetter("m-104", "classify", "131072 tokens of gpt-4.1-nano are too few for 140212");
    cluster.journey("m-92", 92, Journey.Outcome.KEPT);
    cluster.journey("m-93", 93, Journey.Outcome.FAILED);
    cluster.bill("live", "gpt-5-nano@flex", 412, 900_000_000L, 300_000_000L, 880_000_000L);
    cluster.bill("judge", "o4-mini", 40, 250_000_000L, 0, 0);
    for (int i = 0; i < 6; i++) {
      cluster.works(Duration.ofSeconds(5), 60);
    }
    return cluster;
  }

  public ClusterFold fold() {
    return fold;
  }

  public Program program() {
    return plans.program();
  }

  public void passes(Duration time) {
    now = now.plus(time);
  }

  public Instant now() {
    return now;
  }

  /** Writes a control record, as a user or the page does. */
  public void write(ControlRecord record) {
    control(record.key().path(), ControlCodec.encode(record));
  }

  public void control(String key, byte @Nullable [] value) {
    fold.control(record(NAMES.control(), controlOffset++, key, value, Map.of()));
  }

  public void rejected(Rejection rejection) {
    fold.accept(record(NAMES.rejections(), 0, rejection.key(), Json.write(rejection), Map.of()));
  }

  public long lastControlOffset() {
    return controlOffset - 1;
  }

  /** Both workers finish documents and report. */
  public void works(Duration time, int documents) {
    passes(time);
    results += documents;
    for (int worker = 1; worker <= 2; worker++) {
      status(
          worker(worker, results / 2)
              .lag(412L)
              .pending(48)
              .inFlight(20)
              .waits(
                  worker == 1
                      ? List.of()
                      : List.of(
                          new ModelWait(
                              "gpt-4.1-mini",
                              ModelWait.Cause.RATE_LIMIT,
                              "429 Too Many Requests",
                              7,
                              null,
                              now.minusSeconds(12))))
              .build());
    }
    report();
    ObjectNode governor = JsonNodeFactory.instance.objectNode();
    governor
        .putObject("spending")
        .put("spent", 0.0016 * results)
        .put("tokens", 900 * results)
        .put("window", START.toString());
    status(NAME + "/governor", Json.write(governor));
  }

  private static EpochCounts counts(long documents) {
    return new EpochCounts(
        2,
        documents,
        3,
        0.00186 * documents,
        0.0000036 * documents,
        3.3 * documents,
        12.0 * documents,
        null);
  }

  private static OperatorCounts work(String operator, long documents) {
    List<Double> flow = Objects.requireNonNull(FLOW.get(operator));
    long inputs = Math.round(flow.getFirst() * documents);
    long outputs = Math.round(flow.getLast() * documents);
    return new OperatorCounts(
        operator,
        inputs,
        outputs,
        operator.equals("draft") ? inputs - outputs : 0,
        0.0007 * inputs,
        1.4 * inputs,
        operator.equals("draft") ? 12 : 4,
        null,
        null);
  }

  /** A status of a worker, to be completed. */
  public InstanceStatusBuilder worker(int number, long documents) {
    return InstanceStatus.builder(NAME, "worker-" + number, now, "RUNNING")
        .epoch(2L)
        .results(documents)
        .filtered(documents / 2)
        .deadLetters(number == 1 ? 3 : 0)
        .costUsd(0.0016 * documents)
        .operators(program().operators().stream().map(each -> work(each.id(), documents)).toList())
        .epochs(List.of(counts(documents)))
        .quality(JUDGED);
  }

  public void status(InstanceStatus status) {
    status(status.program() + "/" + status.instance(), Json.write(status));
  }

  public void status(String key, byte @Nullable [] value) {
    fold.accept(record(NAMES.status(), 0, key, value, Map.of()));
  }

  private void search(String nextPhase, int samples) {
    phase = nextPhase;
    observed = samples;
    report();
  }

  /** The optimizer's report on the search and the active plan. */
  private void report() {
    ObjectNode search =
        JsonNodeFactory.instance
            .objectNode()
            .put("program", NAME)
            .put("phase", phase)
            .put("samplesIssued", observed)
            .put("samplesObserved", observed)
            .put("budgetSamples", 150)
            .put("spentUsd", 0.0021 * observed)
            .put("message", "")
            .put("at", now.toString());
    PhysicalPlan active = Objects.requireNonNull(fold.snapshot().programs().get(NAME)).activePlan();
    if (active != null) {
      Map<String, QualityCounts> judged = new TreeMap<>();
      JUDGED.forEach(counts -> judged.put(counts.operator(), counts));
      search.set("plan", Json.tree(PromiseReport.of(active, counts(results), judged, program())));
    }
    status(NAME + "/optimizer", Json.write(search));
  }

  /** What one worker spent for one operator in this hour. */
  public void bill(
      String purpose, String model, long calls, long nanoUsd, long cacheSaved, long tierSaved) {
    BillRecord.Line line =
        new BillRecord.Line(
            "draft",
            model,
            purpose,
            calls,
            TokenCounts.of(900 * calls, 300 * calls, 60 * calls),
            nanoUsd,
            cacheSaved,
            tierSaved);
    BillRecord bill =
        new BillRecord(
            NAME, "worker-" + purpose, now.getEpochSecond() / 3600, List.of(line), 400, 360, 0, 0);
    fold.accept(
        record(
            NAMES.spending(),
            0,
            new String(bill.key(), StandardCharsets.UTF_8),
            Json.write(bill),
            Map.of(Headers.BILL, "")));
  }

  /** The source record of the key {@code m-N} has the offset N. */
  public void deadLetter(String key, String operator, String reason) {
    fold.accept(
        record(
            NAMES.deadLetters(NAME),
            letters++,
            key,
            new byte[] {'{', '}'},
            Map.of(
                Headers.OPERATOR,
                operator,
                Headers.EXCEPTION_MESSAGE,
                reason,
                Headers.EXCEPTION_TOPIC,
                "support.messages",
                Headers.EXCEPTION_PARTITION,
                "0",
                Headers.EXCEPTION_OFFSET,
                key.replaceAll("\\D", ""))));
  }

  /** The journey of the document at an offset of the source; a failure is at the last operator. */
  public void journey(String key, int offset, Journey.Outcome outcome) {
    Journey journey = TriageJourney.of(key, offset, outcome, now);
    fold.accept(
        record(NAMES.journeys(NAME), journeys++, journey.source(), Json.write(journey), Map.of()));
  }

  /** A request for a label; null if it was answered. */
  public void review(String position, @Nullable ReviewRequest request) {
    byte[] value = request == null ? null : Json.write(request);
    fold.accept(record(NAMES.review(NAME), 0, position, value, Map.of()));
  }

  /** Samples of every model on every operator; the cheap ones are sampled first and dropped. */
  private void samples() {
    int task = 0;
    for (int round = 0; round < 8; round++) {
      for (String operator : List.of("is-problem", "classify", "draft")) {
        for (int model = 0; model < MODELS.size(); model++) {
          if (model < 2 && round > 2) {
            continue;
          }
          double quality = 0.55 + 0.085 * model + 0.05 * ((round * 7 + model * 3) % 5 - 2);
          observe(
              Observation.builder("t" + task++, NAME, operator, physical(model).id(), "e" + round)
                  .quality(Math.min(1, quality))
                  .scoredBy(Observation.ScoredBy.LABEL)
                  .cost(cost(model) * (0.8 + 0.1 * (round % 5)))
                  .latency(0.6 + 0.4 * model)
                  .build());
        }
      }
    }
  }

  /** Further samples of one implementation. */
  public void observes(String operator, String model, int samples) {
    for (int i = 0; i < samples; i++) {
      observe(
          Observation.builder(
                  "more-" + observed++, NAME, operator, physical(MODELS.indexOf(model)).id(), "e")
              .quality(0.9)
              .scoredBy(Observation.ScoredBy.LABEL)
              .cost(cost(MODELS.indexOf(model)))
              .latency(2)
              .build());
    }
  }

  public void observe(Observation observation) {
    fold.accept(
        record(
            NAMES.observations(observation.program()),
            0,
            observation.taskId(),
            Json.write(observation),
            Map.of()));
  }

  /** A plan with a frontier of one plan for each model. */
  public PhysicalPlan plan(long epoch, int model, @Nullable PlanPromise promise) {
    return plans.plan(epoch, model, promise);
  }

  private ConsumerRecord<byte[], byte[]> record(
      String topic, long offset, String key, byte @Nullable [] value, Map<String, String> headers) {
    RecordHeaders all = new RecordHeaders();
    headers.forEach((name, text) -> all.add(name, text.getBytes(StandardCharsets.UTF_8)));
    return new ConsumerRecord<>(
        topic,
        0,
        offset,
        now.toEpochMilli(),
        TimestampType.CREATE_TIME,
        0,
        0,
        key.getBytes(StandardCharsets.UTF_8),
        value,
        all,
        java.util.Optional.empty());
  }

  /** The program asks for labels of two documents: of a filter, and of a map. */
  public void asksForLabels() {
    Program program = program();
    write(
        new ControlRecord.ProgramSet(
            program.withSettings(
                program
                    .settings()
                    .withValidation(new Validation("v", "fixes", Map.of(), true))
                    .withLearning(Learning.withoutAnswers(0, 5)))));
    review("support.messages-0@1", question(1, "is-problem"));
    review("support.messages-0@2", question(2, "classify"));
  }

  /** A request for a label. */
  public ReviewRequest question(int offset, String operator) {
    return new ReviewRequest(
        Objects.requireNonNull(program().operator(operator)),
        Document.empty().with("text", JsonNodeFactory.instance.textNode("<b>Parcel</b> " + offset)),
        List.of(new ReviewRequest.Answer(BooleanNode.TRUE, List.of("a", "b"))),
        "implementations disagree",
        false,
        now(),
        now().plus(Duration.ofDays(7)));
  }
}
