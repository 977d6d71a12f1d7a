package dev.abacus.schemas.monitor;

import java.util.List;

/**
 * The metrics that a worker and an optimizer export, beside those of Kafka Streams and of the JVM.
 * Counters start with the process. {@code docs/metrics.md} lists them.
 */
public enum Metric {
  DOCUMENTS(
      series(Plane.WORKER, Type.COUNTER, "abacus_documents_total", "program", "outcome"),
      "Finished documents, by outcome: result, filtered, filtered_group (aggregated "
          + "documents) or dead_letter."),
  SAMPLES(
      series(Plane.WORKER, Type.COUNTER, "abacus_samples_total", "program"),
      "Finished sample tasks."),
  SPEND(
      series(Plane.WORKER, Type.COUNTER, "abacus_spend_usd_total", "program", "work"),
      "USD spent, judge included, by work: live or sample."),
  TOKENS(
      series(Plane.WORKER, Type.COUNTER, "abacus_tokens_total", "program", "work", "kind"),
      "Tokens of chat models, for live documents also of embedding models, by work (live or "
          + "sample) and by kind: input, cached_input, output or reasoning; no token has two "
          + "kinds."),
  REQUESTS(
      series(Plane.WORKER, Type.COUNTER, "abacus_requests_total", "program", "answered"),
      "Requests to chat models for live documents, with an answer store, by what answered: call or "
          + "store (an answer of the store or of an identical call in flight)."),
  SAVED(
      series(Plane.WORKER, Type.COUNTER, "abacus_saved_usd_total", "program"),
      "USD that the answer store saved: the cost of the calls whose answers were used again."),
  CALLS(
      series(Plane.WORKER, Type.COUNTER, "abacus_calls_total", "model", "outcome"),
      "Attempts to call a model, by outcome: answered, interrupted, or the failure, "
          + "such as rate_limited, server_error or timed_out."),
  CALLS_IN_FLIGHT(
      series(Plane.WORKER, Type.GAUGE, "abacus_calls_in_flight", "model"),
      "Attempts that wait for the answer of a model."),
  MODEL_AVAILABLE(
      series(Plane.WORKER, Type.GAUGE, "abacus_model_available", "model"),
      "Whether a model that was called answers (1) or most of its latest attempts failed (0)."),
  OPERATOR_LATENCY(
      series(
          Plane.WORKER, Type.HISTOGRAM, "abacus_operator_latency_seconds", "program", "operator"),
      "Time that a semantic operator took for a live document, with failed attempts, "
          + "without the wait for admission."),
  PENDING_DOCUMENTS(
      series(Plane.WORKER, Type.GAUGE, "abacus_pending_documents", "program"),
      "Admitted documents that are not finished."),
  DOCUMENTS_IN_FLIGHT(
      series(Plane.WORKER, Type.GAUGE, "abacus_documents_in_flight", "program"),
      "Documents in process."),
  WAITING_DOCUMENTS(
      series(Plane.WORKER, Type.GAUGE, "abacus_waiting_documents", "program", "cause", "model"),
      "Calls of documents and samples that wait until a model can be called, by "
          + "cause: rate_limit, server_error, timeout, connection, quota, authentication or"
          + " unknown_model."),
  LAG(
      series(Plane.WORKER, Type.GAUGE, "abacus_lag_documents", "program"),
      "Records of the sources that no instance has admitted. Every instance reports "
          + "the sum of all partitions: take the maximum. Markers of transactions that the "
          + "program has passed do not count, nor do records behind the open transaction of a "
          + "producer, which nobody can read yet."),
  PROGRAM_STATE(
      series(Plane.WORKER, Type.GAUGE, "abacus_program_state", "program", "state"),
      "1 for the state of a program on this instance, such as RUNNING, SLEEPING, "
          + "WAITING or WAITING_FOR_PLAN."),
  PLAN_EPOCH(
      series(Plane.WORKER, Type.GAUGE, "abacus_plan_epoch", "program"),
      "Epoch of the active plan."),
  PLAN_ESTIMATE(
      series(Plane.WORKER, Type.GAUGE, "abacus_plan_estimate", "program", "dimension"),
      "Estimate of the active plan per document: quality in [0, 1], cost in USD, "
          + "latency in seconds."),
  OBJECTIVE_BOUND(
      series(Plane.WORKER, Type.GAUGE, "abacus_objective_bound", "program", "dimension"),
      "Bounds of the objective that the active plan was searched for, in the unit of "
          + "their dimension."),
  QUALITY_ESTIMATE(
      series(Plane.WORKER, Type.GAUGE, "abacus_quality_estimate", "program", "operator", "bound"),
      "Estimated quality of the operators of the active plan, by bound of its "
          + "interval: low, mean or high."),
  QUALITY_MEASURED(
      series(Plane.WORKER, Type.GAUGE, "abacus_quality_measured", "program", "operator", "bound"),
      "Quality that the judge measured on live outputs of the active plan on this "
          + "instance, in the measure of the estimate (of a filter its metric), by bound of its "
          + "95 % interval: low, mean or high."),
  KAFKA_AVAILABLE(
      series(Plane.BOTH, Type.GAUGE, "abacus_kafka_available"),
      "Whether Kafka answers (1) or not (0)."),
  OPTIMIZER_LEADS(
      series(Plane.OPTIMIZER, Type.GAUGE, "abacus_optimizer_leads"),
      "Whether this optimizer leads (1) or stands by (0)."),
  SEARCH_PHASE(
      series(Plane.OPTIMIZER, Type.GAUGE, "abacus_search_phase", "program", "phase"),
      "1 for the phase of a search: WAITING_FOR_EXAMPLES, SAMPLING, "
          + "WAITING_FOR_MODELS, PAUSED, FINISHED or STUCK."),
  SEARCH_SAMPLES(
      series(Plane.OPTIMIZER, Type.GAUGE, "abacus_search_samples", "program", "state"),
      "Samples of a search, by state: observed, of all rounds, or outstanding."),
  SEARCH_SPEND(
      series(Plane.OPTIMIZER, Type.GAUGE, "abacus_search_spend_usd", "program"),
      "USD that samples of the current program cost, judge included."),
  SEARCH_PLAN_FEASIBLE(
      series(Plane.OPTIMIZER, Type.GAUGE, "abacus_search_plan_feasible", "program"),
      "Whether every bound of the objective holds with the required probability under the active "
          + "plan (1) or not (0)."),
  SEARCH_PLAN_PROBABILITY(
      series(Plane.OPTIMIZER, Type.GAUGE, "abacus_search_plan_probability", "program"),
      "Probability that all bounds of the objective hold under the active plan; absent if it is "
          + "not known, and without bounds."),
  BACKLOG(
      series(Plane.OPTIMIZER, Type.GAUGE, "abacus_backlog_documents", "program"),
      "Documents that wait for workers: not admitted, or admitted and not finished; 0 while the "
          + "program is paused. The leading optimizer counts them every 5 s, without a worker "
          + "too; markers and aborted records of transactions do not count."),
  ARRIVALS(
      series(Plane.OPTIMIZER, Type.GAUGE, "abacus_arrivals_per_second", "program"),
      "Records that the sources got per second in the last minute, markers of transactions "
          + "included."),
  REQUIRED_IN_FLIGHT(
      series(Plane.OPTIMIZER, Type.GAUGE, "abacus_required_in_flight", "program"),
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

  private record Series(Plane plane, Type type, String id, List<String> labels) {}

  @SuppressWarnings("ImmutableEnumChecker") // Its list is List.of.
  private final Series series;

  private final String help;

  Metric(Series series, String help) {
    this.series = series;
    this.help = help;
  }

  private static Series series(Plane plane, Type type, String id, String... labels) {
    return new Series(plane, type, id, List.of(labels));
  }

  /** The name as it is scraped, such as {@code abacus_documents_total}. */
  public String id() {
    return series.id();
  }

  public Type type() {
    return series.type();
  }

  public Plane plane() {
    return series.plane();
  }

  /** Names of the labels. */
  public List<String> labels() {
    return series.labels();
  }

  /** One or two sentences for users, with the unit and the values of labels. */
  public String help() {
    return help;
  }
}
