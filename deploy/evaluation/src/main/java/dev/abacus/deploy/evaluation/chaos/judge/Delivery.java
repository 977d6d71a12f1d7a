package dev.abacus.deploy.evaluation.chaos.judge;

import dev.abacus.deploy.evaluation.chaos.judge.History.Output;
import dev.abacus.deploy.evaluation.chaos.judge.History.Sent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Judges that documents are neither lost nor doubled, limits are exact and keys keep their order.
 */
final class Delivery {

  /** Half of the largest record that a topic takes by default, in characters. */
  private static final int LARGE_GROUP = 1 << 19;

  private final Map<String, Shape> shapes;
  private final Verdict.Count lost = new Verdict.Count("nothing lost");
  private final Verdict.Count doubled = new Verdict.Count("nothing doubled");
  private final Verdict.Count letters = new Verdict.Count("no dead letters");
  private final Verdict.Count limits = new Verdict.Count("limits exact");
  private final Verdict.Count order = new Verdict.Count("order per key");

  Delivery(Map<String, Shape> shapes) {
    this.shapes = shapes;
  }

  /** The first verdict is that nothing is lost. */
  List<Verdict> judge(History history) {
    shapes.forEach((program, shape) -> {
      List<Sent> sent = history.sent().stream().filter(it -> it.program().equals(program)).toList();
      List<Output> outputs =
          history.outputs().stream().filter(it -> it.program().equals(program)).toList();
      for (Output output : outputs) {
        letters.check();
        if (output.deadLetter() && !isTooLarge(output)) {
          letters.violate(
              "%s: %s of document %d".formatted(program, output.cause(), output.number()));
        }
      }
      judge(program, shape, sent, outputs);
    });
    return List.of(
        lost.verdict(""),
        doubled.verdict(""),
        letters.verdict(""),
        limits.verdict(""),
        order.verdict(""));
  }

  /** Whether the group of the document fits in no record twice, which an aggregate needs. */
  private static boolean isTooLarge(Output letter) {
    return letter.value().path("group").asText().length() > LARGE_GROUP;
  }

  private void judge(String program, Shape shape, List<Sent> sent, List<Output> outputs) {
    switch (shape) {
      case Shape.PerDocument each -> {
        compare(
            program,
            sent.stream()
                .flatMap(document ->
                    IntStream.range(0, each.outputs(document.number()))
                        .mapToObj(item -> id(document.number(), item))),
            outputs,
            output -> Stream.of(id(output.number(), output.value().path("item").asInt(0))));
        if (each.outputs().stream().allMatch(count -> count <= 1)) {
          keysKeepTheirOrder(program, outputs);
        }
      }
      case Shape.Aggregated _ ->
          compare(
              program,
              sent.stream().map(document -> id(document.number(), 0)),
              outputs,
              output ->
                  output.value().path("numbers").valueStream().map(one -> id(one.asInt(), 0)));
      case Shape.Paired pair -> {
        Set<Integer> right =
            sent.stream()
                .filter(it -> it.source().equals(pair.right()))
                .map(Sent::number)
                .collect(Collectors.toSet());
        compare(
            program,
            sent.stream()
                .filter(it -> it.source().equals(pair.left()) && right.contains(it.number()))
                .map(document -> id(document.number(), 0)),
            outputs,
            output -> Stream.of(id(output.number(), 0)));
      }
      case Shape.Limited limited -> judge(program, limited, sent, outputs);
    }
  }

  private static String id(int number, int item) {
    return number + "." + item;
  }

  /**
   * Compares what is expected with what arrived.
   *
   * @param found the ids that a result stands for
   */
  private void compare(
      String program,
      Stream<String> expected,
      List<Output> outputs,
      Function<Output, Stream<String>> found) {
    Set<String> wanted = expected.collect(Collectors.toCollection(LinkedHashSet::new));
    Set<Integer> dead = new HashSet<>();
    Map<String, Integer> seen = new LinkedHashMap<>();
    for (Output output : outputs) {
      if (output.deadLetter()) {
        dead.add(output.number());
      } else {
        found.apply(output).forEach(id -> seen.merge(id, 1, Integer::sum));
      }
    }
    for (String id : wanted) {
      lost.check();
      int number = Integer.parseInt(id.substring(0, id.indexOf('.')));
      if (!seen.containsKey(id) && !dead.contains(number)) {
        lost.violate("%s: output %s has no result and no dead letter".formatted(program, id));
      }
    }
    seen.forEach((id, count) -> {
      doubled.check();
      if (!wanted.contains(id)) {
        doubled.violate("%s: nothing gives output %s".formatted(program, id));
      } else if (count > 1) {
        doubled.violate("%s: output %s arrived %d times".formatted(program, id, count));
      }
    });
  }

  private void judge(String program, Shape.Limited limited, List<Sent> sent, List<Output> outputs) {
    Map<Integer, Long> windows = new HashMap<>();
    Map<Long, Integer> arrived = new TreeMap<>();
    for (Sent document : sent) {
      long window = document.at() / limited.windowMillis();
      windows.put(document.number(), window);
      arrived.merge(window, 1, Integer::sum);
    }
    Map<Long, Integer> passed = new HashMap<>();
    Map<Integer, Integer> seen = new HashMap<>();
    for (Output output : outputs) {
      Long window = windows.get(output.number());
      doubled.check();
      if (window == null) {
        doubled.violate("%s: nothing gives output %d".formatted(program, output.number()));
      } else {
        if (seen.merge(output.number(), 1, Integer::sum) > 1) {
          doubled.violate("%s: output %d arrived again".formatted(program, output.number()));
        }
        passed.merge(window, 1, Integer::sum);
      }
    }
    arrived.forEach((window, documents) -> {
      int expected = Math.min(limited.limit(), documents);
      int results = passed.getOrDefault(window, 0);
      lost.check(expected);
      limits.check();
      for (int i = results; i < expected; i++) {
        lost.violate("%s: window %d has %d of %d".formatted(program, window, results, expected));
      }
      if (results > expected) {
        limits.violate("%s: window %d has %d of %d".formatted(program, window, results, expected));
      }
    });
  }

  private void keysKeepTheirOrder(String program, List<Output> outputs) {
    Map<String, Output> last = new HashMap<>();
    for (Output output :
        outputs.stream()
            .filter(it -> !it.deadLetter())
            .sorted((a, b) -> Long.compare(a.offset(), b.offset()))
            .toList()) {
      Output earlier = last.put(output.partition() + "/" + output.key(), output);
      order.check();
      if (earlier != null && earlier.number() > output.number()) {
        order.violate(
            "%s: %d of key %s after %d"
                .formatted(program, output.number(), output.key(), earlier.number()));
      }
    }
  }
}
