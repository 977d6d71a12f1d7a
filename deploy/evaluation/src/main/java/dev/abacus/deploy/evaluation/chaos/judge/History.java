package dev.abacus.deploy.evaluation.chaos.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was observed from outside: the documents that the brokers accepted, the committed outputs,
 * the calls of models, the control records, and what was done to the cluster. All times are
 * milliseconds of one clock.
 */
public record History(
    List<Sent> sent,
    List<Output> outputs,
    List<Call> calls,
    List<Plan> plans,
    List<Activation> activations,
    List<Copy> copies,
    List<Incident> incidents) {

  public History {
    sent = List.copyOf(sent);
    outputs = List.copyOf(outputs);
    calls = List.copyOf(calls);
    plans = List.copyOf(plans);
    activations = List.copyOf(activations);
    copies = List.copyOf(copies);
    incidents = List.copyOf(incidents);
  }

  /**
   * A document that the brokers accepted.
   *
   * @param group by which an aggregate groups it
   * @param number unique per program and source
   * @param at timestamp of the record
   */
  public record Sent(
      String program,
      String source,
      String key,
      String group,
      int number,
      int partition,
      long offset,
      long at) {}

  /**
   * A committed result or dead letter.
   *
   * @param deadLetter whether it is a dead letter
   * @param epoch of the plan that processed the document, by the header; null if there is none
   * @param cause of a dead letter, for people
   * @param at when a {@code read_committed} consumer received it
   */
  public record Output(
      String program,
      boolean deadLetter,
      int partition,
      long offset,
      String key,
      JsonNode value,
      @Nullable Long epoch,
      String cause,
      long at) {

    int number() {
      return value.path("number").asInt(-1);
    }
  }

  /**
   * A call of a model, whose answer the provider has finished, so that it is paid for.
   *
   * @param number of the document; negative if the call belongs to no live document
   * @param worker process that made the call
   * @param request digest of the request
   */
  public record Call(
      String program,
      int number,
      String worker,
      String request,
      long started,
      long ended,
      double usd) {}

  /**
   * A published plan.
   *
   * @param steps by operator
   */
  public record Plan(String program, long epoch, Map<String, Step> steps) {

    /**
     * How one operator is executed.
     *
     * @param marker number in the instruction that identifies the plan; 0 if there is none
     * @param model model of a technique that makes one call; null for other techniques
     */
    public record Step(int marker, @Nullable String model) {}

    public Plan {
      steps = Map.copyOf(steps);
    }
  }

  /** The activation of a plan for all new documents. */
  public record Activation(String program, long epoch, long at) {}

  /**
   * A document that stands on a topic beside the results.
   *
   * @param topic why it stands there
   * @param source position of the document: {@code TOPIC-PARTITION@OFFSET}
   */
  public record Copy(String program, Topic topic, String source) {

    /** A topic with copies of documents. */
    public enum Topic {
      /** Examples: the search also runs them beside the plan. */
      EXAMPLES,
      /** Requests for labels. */
      REQUESTS
    }
  }

  /** What was done to the cluster. */
  public enum Kind {
    WORKER_KILLED,
    WORKER_FROZEN,
    WORKER_TERMINATED,
    /** After the end of a worker in order that no other one was ready to take over from. */
    NO_WORKER_READY,
    WORKER_STARTED,
    OPTIMIZER_KILLED,
    BROKER_KILLED,
    PROVIDER_FAULTS,
    /** The provider has no capacity at the tier flex. */
    FLEX_REFUSED,
    /** Load that must disturb nothing; the target names it. */
    LOAD,
    CONTROL_CHANGE
  }

  /**
   * What was done to the cluster.
   *
   * @param target process, or program of a control change
   * @param until end of a state that lasts, else the same as {@code at}
   */
  public record Incident(Kind kind, String target, long at, long until) {}
}
