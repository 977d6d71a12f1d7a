package dev.abacus.deploy.evaluation.chaos.judge;

import dev.abacus.deploy.evaluation.chaos.judge.History.Copy;
import dev.abacus.deploy.evaluation.chaos.judge.History.Sent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Judges the documents that programs draw to run them beside the plan, and to ask for their labels:
 * none twice, only documents that were sent, and no more than is set.
 */
record Draws(Map<String, Judge.Draw> draws) {

  /** A draw by hash may be above its share by this many standard deviations. */
  private static final double DEVIATIONS = 4;

  Verdict judge(History history) {
    Verdict.Count count = new Verdict.Count("drawn as set");
    List<String> figures = new ArrayList<>();
    draws.forEach((program, draw) -> {
      List<Sent> sent =
          history.sent().stream().filter(one -> one.program().equals(program)).toList();
      double share = draw.share();
      double most = sent.size() * share;
      most += DEVIATIONS * Math.sqrt(most * (1 - share));
      Set<String> sources = sent.stream().map(Draws::position).collect(Collectors.toSet());
      int examples = judge(count, history, sources, program, Copy.Topic.EXAMPLES, most);
      int requests = judge(count, history, sources, program, Copy.Topic.REQUESTS, draw.labels());
      figures.add(
          "%s: %d of %d documents beside the plan, %d labels asked for"
              .formatted(program, examples, sent.size(), requests));
    });
    return count.verdict(String.join("; ", figures));
  }

  /** Returns the number of documents on the topic. */
  private static int judge(
      Verdict.Count count,
      History history,
      Set<String> sources,
      String program,
      Copy.Topic topic,
      double most) {
    Set<String> seen = new HashSet<>();
    for (Copy copy : history.copies()) {
      if (copy.program().equals(program) && copy.topic() == topic) {
        count.check();
        if (!seen.add(copy.source())) {
          count.violate("%s: %s twice on %s".formatted(program, copy.source(), topic));
        } else if (!sources.contains(copy.source())) {
          count.violate("%s: %s on %s was not sent".formatted(program, copy.source(), topic));
        }
      }
    }
    if (seen.size() > most) {
      count.violate(
          "%s: %d documents on %s, more than %.0f".formatted(program, seen.size(), topic, most));
    }
    return seen.size();
  }

  private static String position(Sent sent) {
    return "%s-%d@%d".formatted(sent.source(), sent.partition(), sent.offset());
  }
}
