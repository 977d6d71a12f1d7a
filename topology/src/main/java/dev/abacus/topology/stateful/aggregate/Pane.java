package dev.abacus.topology.stateful.aggregate;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.catalogue.Usage;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.input.BoundedJson;
import dev.abacus.schemas.program.Computation;
import dev.abacus.schemas.program.aggregate.Accumulator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;

/**
 * The state of one group in one window (a term of the Dataflow model). Its members are stored
 * apart, so that a new document does not rewrite those before it.
 *
 * @param group values of the fields that documents are grouped by
 * @param start start of the window, in milliseconds since 1970; of a session, its first timestamp
 * @param end end of the window, exclusive; of a session, its last timestamp
 * @param members number of documents
 * @param bytes size of the stored members in the output document
 * @param usage cost and tokens of the members
 * @param runs numbers under which the members are stored; new members go to the last
 * @param accumulators one per computation, in the order of the computations
 */
record Pane(
    ArrayNode group,
    long start,
    long end,
    long members,
    long bytes,
    Usage usage,
    List<Long> runs,
    List<Accumulator> accumulators) {

  private static final int VERSION = 1;

  /** Numbers keep all their digits, because the group's values are part of the key. */
  private static final JsonMapper JSON = BoundedJson.mapper(BoundedJson.MAX_DEPTH + 50).build();

  /** JSON, with a version. */
  static final Serde<Pane> SERDE =
      Serdes.serdeFrom(
          (topic, pane) -> pane == null ? null : pane.toBytes(),
          (topic, bytes) -> bytes == null ? null : read(bytes));

  Pane {
    runs = List.copyOf(runs);
    accumulators = List.copyOf(accumulators);
  }

  static Pane empty(ArrayNode group, long start, long end, long run, int computations) {
    List<Accumulator> accumulators = Collections.nCopies(computations, Accumulator.EMPTY);
    return new Pane(group, start, end, 0, 0, Usage.NONE, List.of(run), accumulators);
  }

  PaneKey key() {
    return PaneKey.of(group, start);
  }

  /**
   * Adds a document.
   *
   * @param size bytes of the stored member; 0 if it is not stored
   * @param used cost and tokens of the document
   */
  Pane plus(Document document, int size, Usage used, Collection<Computation> computations) {
    List<Accumulator> updated = new ArrayList<>();
    int at = 0;
    for (Computation computation : computations) {
      updated.add(accumulators.get(at++).plus(computation, document));
    }
    return new Pane(group, start, end, members + 1, bytes + size, usage.plus(used), runs, updated);
  }

  /** This session with a timestamp in it. */
  Pane reaching(long timestamp) {
    return new Pane(
        group,
        Math.min(start, timestamp),
        Math.max(end, timestamp),
        members,
        bytes,
        usage,
        runs,
        accumulators);
  }

  /** Merges two sessions. */
  Pane merge(Pane other, Collection<Computation> computations) {
    List<Accumulator> merged = new ArrayList<>();
    int at = 0;
    for (Computation computation : computations) {
      merged.add(accumulators.get(at).plus(computation, other.accumulators.get(at)));
      at++;
    }
    List<Long> allRuns = new ArrayList<>(runs);
    allRuns.addAll(other.runs);
    return new Pane(
        group,
        Math.min(start, other.start),
        Math.max(end, other.end),
        members + other.members,
        bytes + other.bytes,
        usage.plus(other.usage),
        allRuns,
        merged);
  }

  private byte[] toBytes() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("version", VERSION).put("start", start).put("end", end);
    json.put("members", members).put("bytes", bytes).put("cost", usage.costUsd());
    TokenCounts tokens = usage.tokens();
    json.putArray("tokens")
        .add(tokens.input())
        .add(tokens.cachedInput())
        .add(tokens.output())
        .add(tokens.reasoning())
        .add(tokens.estimated())
        .add(tokens.stored());
    json.set("group", group);
    ArrayNode runList = json.putArray("runs");
    runs.forEach(runList::add);
    ArrayNode list = json.putArray("accumulators");
    accumulators.forEach(accumulator -> list.add(accumulator.toJson()));
    try {
      return JSON.writeValueAsBytes(json);
    } catch (JacksonException e) {
      throw new SerializationException("cannot write a pane as JSON", e);
    }
  }

  private static Pane read(byte[] bytes) {
    JsonNode json;
    try {
      json = JSON.readTree(bytes);
    } catch (IOException e) {
      throw new SerializationException("damaged pane: " + e.getMessage(), e);
    }
    if (json.path("version").intValue() != VERSION
        || !(json.path("group") instanceof ArrayNode group)) {
      throw new SerializationException("pane of version " + json.path("version"));
    }
    List<Long> runs = new ArrayList<>();
    json.path("runs").forEach(run -> runs.add(run.longValue()));
    List<Accumulator> accumulators = new ArrayList<>();
    json.path("accumulators").forEach(one -> accumulators.add(Accumulator.read(one)));
    return new Pane(
        group,
        json.path("start").longValue(),
        json.path("end").longValue(),
        json.path("members").longValue(),
        json.path("bytes").longValue(),
        new Usage(json.path("cost").doubleValue(), tokens(json.path("tokens"))),
        runs,
        accumulators);
  }

  /** The tokens by kind; none for a pane of an older release. */
  private static TokenCounts tokens(JsonNode json) {
    return new TokenCounts(
        json.path(0).longValue(),
        json.path(1).longValue(),
        json.path(2).longValue(),
        json.path(3).longValue(),
        json.path(4).longValue(),
        json.path(5).longValue());
  }
}
