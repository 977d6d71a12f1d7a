package dev.abacus.schemas.monitor;

import java.util.List;

/**
 * The metrics that a worker and an optimizer export, beside those of Kafka Streams and of the JVM.
 * Counters start with the process. {@code docs/metrics.md} lists them.
 */
public enum Metric {
  DOCUMENTS(
      "abacus_documents_total",
      Type.COUNTER,
      Plane.WORKER,
      List.of("program", "outcome"),
      "Finished documents, by outcome: result, filtered, filtered_group (aggregated "
          + "documents) or dead_letter."),
  SAMPLES(
      "abacus_samples_total",
      Type.COUNTER,
      Plane.WORKER,
      List.of("program"),
      "Finished sample tasks."),
  SPEND(
      "abacus_spend_usd_total",
      Type.COUNTER,
      Plane.WORKER,
      List.of("program", "work"),
      "USD spent, judge included, by work: live or sample."),
  TOKENS(
      "abacus_tokens_total",
      Type.COUNTER,
      Plane.WORKER,
      List.of("program", "work", "kind"),
      "Tokens of chat models, for live documents also of embedding models, by work (live or "
          + "sample) and by kind: input, cached_input, output or reasoning; no token has two "
          + "kinds."),
  REQUESTS(
      "abacus_requests_total",
      Type.COUNTER,
      Plane.WORKER,
      List.of("program", "answered"),
      "Requests to chat models for live documents, with an answer store, by what answered: call or "
          + "store (an answer of the store or of an identical call in flight)."),
  SAVED(
      "abacus_saved_usd_total",
      Type.COUNTER,
      Plane.WORKER,
      List.of("program"),
      "USD that the answer store saved: the cost of the calls whose answers were used again."),
  CALLS(
      "abacus_calls_total",
      Type.COUNTER,
      Plane.WORKER,
      List.of("model", "outcome"),
      "Attempts to call a model, by outcome: answered, interrupted, or the failure, "
          + "such as rate_limited, server_error or timed_out."),
  CALLS_IN_FLIGHT(
      "abacus_calls_in_flight",
      Type.GAUGE,
      Plane.WORKER,
      List.of("model"),
      "Attempts that wait for the answer of a model."),
  MODEL_AVAILABLE(
      "abacus_model_available",
      Type.GAUGE,
      Plane.WORKER,
      List.of("model"),
      "Whether a model that was called answers (1) or most of its latest attempts failed (0)."),
  OPERATOR_LATENCY(
      "abacus_operator_latency_seconds",
      Type.HISTOGRAM,
      Plane.WORKER,
      List.of("program", "operator"),
      "Time that a semantic operator took for a live document, with failed attempts, "
          + "without the wait for admission."),
  PENDING_DOCUMENTS(
      "abacus_pending_documents",
      Type.GAUGE,
      Plane.WORKER,
      List.of("program"),
      "Admitted documents that are not finished."),
  DOCUMENTS_IN_FLIGHT(
      "abacus_documents_in_flight",
      Type.GAUGE,
      Plane.WORKER,
      List.of("program"),
      "Documents in process."),
  WAITING_DOCUMENTS(
      "abacus_waiting_documents",
      Type.GAUGE,
      Plane.WORKER,
      List.of("program", "cause", "model"),
      "Calls of documents and samples that wait until a model can be called, by "
          + "cause: rate_limit, server_error, timeout, connection, quota, authentication or"
          + " unknown_model."),
  LAG(
      "abacus_lag_documents",
      Type.GAUGE,
      Plane.WORKER,
      List.of("program"),
      "Records of the sources that no instance has admitted. Every instance reports "
          + "the sum of all partitions: take the maximum. Markers of transactions that the "
          + "program has passed do not count."),
  PROGRAM_STATE(
      "abacus_program_state",
      Type.GAUGE,
      Plane.WORKER,
      List.of("program", "state"),
      "1 for the state of a program on this instance, such as RUNNING, SLEEPING, "
          + "WAITING or WAITING_FOR_PLAN."),
  PLAN_EPOCH(
      "abacus_plan_epoch",
      Type.GAUGE,
      Plane.WORKER,
      List.of("program"),
      "Epoch of the active plan."),
  PLAN_ESTIMATE(
      "abacus_plan_estimate",
      Type.GAUGE,
      Plane.WORKER,
      List.of("program", "dimension"),
      "Estimate of the active plan per document: quality in [0, 1], cost in USD, "
          + "latency in seconds."),
  OBJECTIVE_BOUND(
      "abacus_objective_bound",
      Type.GAUGE,
      Plane.WORKER,
      List.of("program", "dimension"),
      "Bounds of the objective that the active plan was searched for, in the unit of "
          + "their dimension."),
  QUALITY_ESTIMATE(
      "abacus_quality_estimate",
      Type.GAUGE,
      Plane.WORKER,
      List.of("program", "operator", "bound"),
      "Estimated quality of the operators of the active plan, by bound of its "
          + "interval: low, mean or high."),
  QUALITY_MEASURED(
      "abacus_quality_measured",
      Type.GAUGE,
      Plane.WORKER,
      List.of("program", "operator", "bound"),
      "Quality that the judge measured on live outputs of the active plan on this "
          + "instance, in the measure of the estimate (of a filter its metric), by bound of its "
          + "95 % interval: low, mean or high."),
  KAFKA_AVAILABLE(
      "abacus_kafka_available",
      Type.GAUGE,
      Plane.BOTH,
      List.of(),
      "Whether Kafka answers (1) or not (0)."),
  OPTIMIZER_LEADS(
      "abacus_optimizer_leads",
      Type.GAUGE,
      Plane.OPTIMIZER,
      List.of(),
      "Whether this optimizer leads (1) or stands by (0)."),
  SEARCH_PHASE(
      "abacus_search_phase",
      Type.GAUGE,
      Plane.OPTIMIZER,
      List.of("program", "phase"),
      "1 for the phase of a search: WAITING_FOR_EXAMPLES, SAMPLING, "
          + "WAITING_FOR_MODELS, PAUSED, FINISHED or STUCK."),
  SEARCH_SAMPLES(
      "abacus_search_samples",
      Type.GAUGE,
      Plane.OPTIMIZER,
      List.of("program", "state"),
      "Samples of a search, by state: observed, of all rounds, or outstanding."),
  SEARCH_SPEND(
      "abacus_search_spend_usd",
      Type.GAUGE,
      Plane.OPTIMIZER,
      List.of("program"),
      "USD that samples of the current program cost, judge included."),
  SEARCH_PLAN_FEASIBLE(
      "abacus_search_plan_feasible",
      Type.GAUGE,
      Plane.OPTIMIZER,
      List.of("program"),
      "Whether every bound of the objective holds with the required probability under the active "
          + "plan (1) or not (0)."),
  SEARCH_PLAN_PROBABILITY(
      "abacus_search_plan_probability",
      Type.GAUGE,
      Plane.OPTIMIZER,
      List.of("program"),
      "Probability that all bounds of the objective hold under the active plan; absent if it is "
          + "not known, and without bounds."),
  BACKLOG(
      "abacus_backlog_documents",
      Type.GAUGE,
      Plane.OPTIMIZER,
      List.of("program"),
      "Documents that wait for workers: not admitted, or admitted and not finished; 0 while the "
          + "program is paused. The leading optimizer counts them every 5 s, without a worker "
          + "too; markers and aborted records of transactions do not count."),
  ARRIVALS(
      "abacus_arrivals_per_second",
      Type.GAUGE,
      Plane.OPTIMIZER,
      List.of("program"),
      "Records that the sources got per second in the last minute, markers of transactions "
          + "included."),
  REQUIRED_IN_FLIGHT(
      "abacus_required_in_flight",
      Type.GAUGE,
      Plane.OPTIMIZER,
      List.of("program"),
      "Documents that must be in process at once to keep up, by Little's law: arrivals per second "
          + "× seconds per document in the operators, measured or, before 50 documents are "
          + "measured, estimated; 0 while the program is paused.");

  /** The kind of a metric, as Prometheus names it. */
  public enum Type {
    COUNTER,
    GAUGE,
    HISTOGRAM
  }

  /** The process that exports a metric. */
  public enum Plane {
    WORKER,
    OPTIMIZER,
    BOTH
  }

  private final String id;
  private final Type type;
  private final Plane plane;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<String> labels;

  private final String help;

  Metric(String id, Type type, Plane plane, List<String> labels, String help) {
    this.id = id;
    this.type = type;
    this.plane = plane;
    this.labels = labels;
    this.help = help;
  }

  /** The name as it is scraped, such as {@code abacus_documents_total}. */
  public String id() {
    return id;
  }

  public Type type() {
    return type;
  }

  public Plane plane() {
    return plane;
  }

  /** Names of the labels. */
  public List<String> labels() {
    return labels;
  }

  /** One or two sentences for users, with the unit and the values of labels. */
  public String help() {
    return help;
  }
}
