package dev.abacus.deploy.evaluation.chaos.judge;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.evaluation.chaos.judge.History.Output;
import dev.abacus.deploy.evaluation.chaos.judge.History.Sent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Judges that documents are neither lost nor doubled, results are of their own documents, limits
 * are exact and keys keep their order.
 */
final class Delivery {

  /** Half of the largest record that a topic takes by default, in characters. */
  private static final int LARGE_GROUP = 1 << 19;

  private final Map<String, Shape> shapes;
  private final Verdict.Count lost = new Verdict.Count("nothing lost");
  private final Verdict.Count doubled = new Verdict.Count("nothing doubled");
  private final Verdict.Count letters = new Verdict.Count("no dead letters");
  private final Verdict.Count own = new Verdict.Count("own documents");
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
        own.verdict(""),
        limits.verdict(""),
        order.verdict(""));
  }

  /** Whether the group of the document fits in no record twice, which an aggregate needs. */
  private static boolean isTooLarge(Output letter) {
    return letter.value().path("group").asText().length() > LARGE_GROUP;
  }

  private void judge(String program, Shape shape, List<Sent> sent, List<Output> outputs) {
    Map<Integer, Sent> documents = new HashMap<>();
    sent.forEach(document -> documents.putIfAbsent(document.number(), document));
    Set<String> panes = new HashSet<>();
    for (Output output : outputs) {
      List<Sent> members =
          numbers(shape, output).mapToObj(documents::get).filter(Objects::nonNull).toList();
      boolean group = shape instanceof Shape.Aggregated;
      if (output.deadLetter() || (members.isEmpty() && !group)) {
        continue;
      }
      own.check();
      String result = "result %d-%d".formatted(output.partition(), output.offset());
      if (!isOf(members, shape, output)) {
        own.violate("%s: %s is not of its own documents".formatted(program, result));
      } else if (group && !panes.add(output.key() + window(shape, members.getFirst()))) {
        doubled.violate("%s: %s is a window again".formatted(program, result));
      }
    }
    switch (shape) {
      case Shape.PerDocument each -> {
        compare(
            program,
            sent.stream()
                .flatMap(document ->
                    IntStream.range(0, each.outputs(document.number()))
                        .mapToObj(item -> id(document.number(), item))),
            outputs,
            output -> Stream.of(id(output.number(), item(output))));
        if (!each.isMany()) {
          keysKeepTheirOrder(program, outputs);
        }
      }
      case Shape.Aggregated one ->
          compare(
              program,
              sent.stream().map(document -> id(document.number(), 0)),
              outputs,
              output -> numbers(one, output).mapToObj(number -> id(number, 0)));
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

  /** The numbers of the documents of a result. */
  private static IntStream numbers(Shape shape, Output output) {
    return shape instanceof Shape.Aggregated
        ? output.value().path("numbers").valueStream().mapToInt(JsonNode::asInt)
        : IntStream.of(output.number());
  }

  /** Whether a result has the key, the partner or the group and window of its own documents. */
  private static boolean isOf(List<Sent> members, Shape shape, Output output) {
    return switch (shape) {
      case Shape.PerDocument each ->
          output
              .key()
              .equals(members.getFirst().key() + (each.isMany() ? "#" + (item(output) + 1) : ""));
      case Shape.Limited _ -> output.key().equals(members.getFirst().key());
      case Shape.Paired pair ->
          output.key().equals(members.getFirst().key() + "#" + members.getFirst().key())
              && output.value().path(pair.into()).path("number").asInt() == output.number();
      case Shape.Aggregated _ ->
          output.value().path("messages").asInt() == output.value().path("numbers").size()
              && members.stream().allMatch(document -> document.group().equals(output.key()))
              && members.stream().map(document -> window(shape, document)).distinct().count() == 1;
    };
  }

  private static int item(Output output) {
    return output.value().path("item").asInt(0);
  }

  private static long window(Shape shape, Sent document) {
    return shape instanceof Shape.Aggregated(long millis) ? document.at() / millis : 0;
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
      if (output.deadLetter() && !dead.add(output.number())) {
        doubled.violate("%s: document %d died twice".formatted(program, output.number()));
      } else if (!output.deadLetter()) {
        found.apply(output).forEach(id -> seen.merge(id, 1, Integer::sum));
      }
    }
    for (String id : wanted) {
      lost.check();
      boolean died = dead.contains(Integer.parseInt(id.substring(0, id.indexOf('.'))));
      if (!seen.containsKey(id) && !died) {
        lost.violate("%s: output %s has no result and no dead letter".formatted(program, id));
      } else if (seen.containsKey(id) && died) {
        doubled.violate("%s: output %s has a result and a dead letter".formatted(program, id));
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
      if (documents > limited.limit()) {
        limits.check();
      }
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
      Output earlier = last.put(output.key(), output);
      if (earlier == null) {
        continue;
      }
      order.check();
      if (earlier.partition() != output.partition() || earlier.number() > output.number()) {
        order.violate(
            "%s: %d of key %s in partition %d after %d in %d"
                .formatted(
                    program,
                    output.number(),
                    output.key(),
                    output.partition(),
                    earlier.number(),
                    earlier.partition()));
      }
    }
  }
}
