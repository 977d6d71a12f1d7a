package dev.abacus.topology.scoring;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.Evidence.Pair;
import dev.abacus.schemas.observation.MatchCounts;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.topology.operator.join.Candidate;
import dev.abacus.topology.operator.join.JoinPrompt;
import dev.abacus.topology.operator.join.ReferenceItem;
import dev.abacus.topology.operator.join.ReferenceView;
import dev.abacus.topology.scoring.Scorer.TaskJudge;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The score of a join with a reference: compares its decision about each pair of the sample with
 * the label, or with the decision of the judge about the same pair. Each pair counts with its
 * weight, so that the score estimates that of the join with the whole reference. The same function
 * scores all techniques.
 *
 * <p>The judge decides all pairs, those that the join rejects too, so that missed matches reduce
 * the score. All implementations have the same pairs of an example, so each pair is judged once;
 * one that searches the whole reference has the pairs that it matched in addition.
 *
 * @param reference the reference that the join used
 * @param input the fields of the document that the condition reads
 * @param pairs the pairs of the sample with the decisions of the join
 */
record JoinScore(
    ReferenceJoin join,
    SampleTask task,
    ReferenceView reference,
    Document input,
    Evidence.Pairs pairs) {

  Score score(QualityMetric metric, TaskJudge judge) throws InterruptedException {
    JsonNode label = task.label();
    if (metric instanceof QualityMetric.Judge || label == null || LabelValues.isAbsent(label)) {
      return judged(metric, judge);
    }
    if (label.isObject()) {
      return Score.unknown(
          "the label of '%s' is not a list of keys of items".formatted(join.id()), 0);
    }
    Evidence.Pairs labelled = new Evidence.Pairs(withUnknownItems(label), pairs.seconds());
    return Score.known(MatchCounts.of(labelled.pairs()).score(metric), ScoredBy.LABEL, 0)
        .with(labelled);
  }

  /** The labelled pairs, and a missed match for each key in the label that no item has. */
  private List<Pair> withUnknownItems(JsonNode label) {
    Map<String, String> keys = new HashMap<>();
    for (Candidate candidate : reference.candidates()) {
      ReferenceItem item = candidate.item();
      keys.put(item.id(), ReferenceItem.key(item.document().toJson(), reference.keyField()));
    }
    Set<String> missing = new HashSet<>();
    LabelValues.list(label).forEach(key -> missing.add(key.asText()));
    List<Pair> all = new ArrayList<>();
    for (Pair pair : pairs.pairs()) {
      String key = keys.get(pair.item());
      // Outside of samples, items carry no labels.
      boolean match = pair.labelled() ? Boolean.TRUE.equals(pair.match()) : missing.contains(key);
      all.add(pair.with(match, true));
    }
    missing.removeAll(keys.values());
    missing.stream().sorted().forEach(key -> all.add(new Pair(key, null, true, true, 1.0, false)));
    return all;
  }

  private Score judged(QualityMetric metric, TaskJudge judge) throws InterruptedException {
    double cost = 0;
    List<Pair> judged = new ArrayList<>();
    for (Pair pair : pairs.pairs()) {
      String key = pair.item();
      ReferenceItem item = key == null ? null : reference.item(key);
      if (item == null) {
        continue;
      }
      switch (judge.ask(JoinPrompt.of(join.condition(), input, item.document()))) {
        case Judge.Judgement.Known<Boolean>(Boolean match, double paid) -> {
          cost += paid;
          judged.add(pair.with(match, false));
        }
        case Judge.Judgement.Unknown<Boolean>(String reason, double paid) -> {
          return Score.unknown(reason, cost + paid);
        }
        case Judge.Judgement.Unavailable<Boolean>(var fault, double paid) -> {
          return Score.unavailable(fault, cost + paid);
        }
      }
    }
    return Score.known(MatchCounts.of(judged).score(metric), ScoredBy.JUDGE, cost)
        .with(new Evidence.Pairs(judged, pairs.seconds()));
  }
}
