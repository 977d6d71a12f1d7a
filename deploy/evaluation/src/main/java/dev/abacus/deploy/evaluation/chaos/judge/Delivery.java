package dev.abacus.deploy.evaluation.chaos.judge;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.evaluation.chaos.judge.History.Output;
import dev.abacus.deploy.evaluation.chaos.judge.History.Sent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

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
        Map<String, Integer> expected = new LinkedHashMap<>();
        for (Sent document : sent) {
          for (int item = 0; item < each.outputs(document.number()); item++) {
            expected.put(document.number() + "." + item, 1);
          }
        }
        Map<String, Integer> seen = new LinkedHashMap<>();
        for (Output output : outputs) {
          count(seen, output.number() + "." + output.value().path("item").asInt(0), output);
        }
        compare(program, expected, seen, deadNumbers(outputs));
        if (each.outputs().stream().allMatch(count -> count <= 1)) {
          keysKeepTheirOrder(program, outputs);
        }
      }
      case Shape.Aggregated _ -> {
        Map<String, Integer> seen = new LinkedHashMap<>();
        for (Output output : outputs) {
          for (JsonNode number : output.value().path("numbers")) {
            count(seen, number.asInt() + ".0", output);
          }
        }
        compare(program, once(sent), seen, deadNumbers(outputs));
      }
      case Shape.Paired pair -> {
        Set<Integer> right = new HashSet<>();
        sent.stream()
            .filter(it -> it.source().equals(pair.right()))
            .forEach(it -> right.add(it.number()));
        List<Sent> matched =
            sent.stream()
                .filter(it -> it.source().equals(pair.left()) && right.contains(it.number()))
                .toList();
        Map<String, Integer> seen = new LinkedHashMap<>();
        outputs.forEach(output -> count(seen, output.number() + ".0", output));
        compare(program, once(matched), seen, deadNumbers(outputs));
      }
      case Shape.Limited limited -> judge(program, limited, sent, outputs);
    }
  }

  private static Map<String, Integer> once(List<Sent> sent) {
    Map<String, Integer> expected = new LinkedHashMap<>();
    sent.forEach(document -> expected.put(document.number() + ".0", 1));
    return expected;
  }

  private static void count(Map<String, Integer> seen, String id, Output output) {
    if (!output.deadLetter()) {
      seen.merge(id, 1, Integer::sum);
    }
  }

  private static Set<Integer> deadNumbers(List<Output> outputs) {
    Set<Integer> numbers = new HashSet<>();
    outputs.stream().filter(Output::deadLetter).forEach(output -> numbers.add(output.number()));
    return numbers;
  }

  private void compare(
      String program,
      Map<String, Integer> expected,
      Map<String, Integer> seen,
      Set<Integer> deadLetters) {
    for (String id : expected.keySet()) {
      lost.check();
      int number = Integer.parseInt(id.substring(0, id.indexOf('.')));
      if (!seen.containsKey(id) && !deadLetters.contains(number)) {
        lost.violate("%s: output %s has no result and no dead letter".formatted(program, id));
      }
    }
    seen.forEach((id, count) -> {
      doubled.check();
      if (!expected.containsKey(id)) {
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
