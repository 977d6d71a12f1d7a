package dev.abacus.topology.stateful.aggregate;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Computation;
import dev.abacus.schemas.program.aggregate.Accumulator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * One group in one window, so far.
 *
 * @param group values that it is grouped by
 * @param start of the window, in milliseconds since 1970; of a session, its first document
 * @param end of the window, not in it; of a session, its last document
 * @param members how many documents it has
 * @param bytes of the members kept, as they would stand in the group's document
 * @param cost USD spent on the members
 * @param runs under which its members are stored; the last takes more
 * @param accumulators one per computation, in their order
 */
record Pane(
    ArrayNode group,
    long start,
    long end,
    long members,
    long bytes,
    double cost,
    List<Long> runs,
    List<Accumulator> accumulators) {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  Pane {
    runs = List.copyOf(runs);
    accumulators = List.copyOf(accumulators);
  }

  static Pane empty(ArrayNode group, long start, long end, long run, int computations) {
    return new Pane(
        group,
        start,
        end,
        0,
        0,
        0,
        List.of(run),
        java.util.Collections.nCopies(computations, Accumulator.EMPTY));
  }

  /** With one document more. */
  Pane plus(
      Document document, int size, double documentCost, Collection<Computation> computations) {
    List<Accumulator> more = new ArrayList<>();
    int at = 0;
    for (Computation computation : computations) {
      more.add(accumulators.get(at++).plus(computation, document));
    }
    return new Pane(group, start, end, members + 1, bytes + size, cost + documentCost, runs, more);
  }

  /** Two sessions that turned out to be one. */
  Pane plus(Pane other, Collection<Computation> computations) {
    List<Accumulator> both = new ArrayList<>();
    int at = 0;
    for (Computation computation : computations) {
      both.add(accumulators.get(at).plus(computation, other.accumulators.get(at)));
      at++;
    }
    List<Long> allRuns = new ArrayList<>(other.runs);
    allRuns.addAll(runs);
    return new Pane(
        group,
        Math.min(start, other.start),
        Math.max(end, other.end),
        members + other.members,
        bytes + other.bytes,
        cost + other.cost,
        allRuns,
        both);
  }

  /** The same documents in a window with other bounds. */
  Pane within(long newStart, long newEnd) {
    return new Pane(group, newStart, newEnd, members, bytes, cost, runs, accumulators);
  }

  byte[] toBytes() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("version", 1).put("start", start).put("end", end);
    json.put("members", members).put("bytes", bytes).put("cost", cost);
    json.set("group", group);
    ArrayNode runList = json.putArray("runs");
    runs.forEach(runList::add);
    ArrayNode list = json.putArray("accumulators");
    accumulators.forEach(accumulator -> list.add(accumulator.toJson()));
    try {
      return JSON.writeValueAsBytes(json);
    } catch (JacksonException e) {
      throw new IllegalStateException("a JSON tree could not be written", e);
    }
  }

  static Pane read(byte[] bytes) {
    JsonNode json;
    try {
      json = JSON.readTree(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("damaged group in the store", e);
    }
    if (json.path("version").intValue() != 1) {
      throw new IllegalStateException("group of version " + json.path("version"));
    }
    List<Long> runs = new ArrayList<>();
    json.path("runs").forEach(run -> runs.add(run.longValue()));
    List<Accumulator> accumulators = new ArrayList<>();
    json.path("accumulators").forEach(one -> accumulators.add(Accumulator.read(one)));
    return new Pane(
        (ArrayNode) json.path("group"),
        json.path("start").longValue(),
        json.path("end").longValue(),
        json.path("members").longValue(),
        json.path("bytes").longValue(),
        json.path("cost").doubleValue(),
        runs,
        accumulators);
  }
}
