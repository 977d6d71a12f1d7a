package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.deploy.simulator.answering.EvidenceLocator.EvidenceMatch;
import dev.abacus.deploy.simulator.skill.Skill;
import dev.abacus.deploy.simulator.skill.Skill.TaskKind;
import dev.abacus.deploy.simulator.skill.SkillFormula;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import dev.abacus.deploy.simulator.truth.TextNormalizer;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses among proposals. The probability of choosing the right one grows with the skill of the
 * model and with the number of proposals that agree. It never gives an answer that is not among the
 * proposals.
 */
record Aggregator(ModelCall call, List<JsonNode> proposals) {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private record Candidate(JsonNode value, int votes) {}

  /** Chooses the answer to a question. */
  FieldAnswer answer(Question question, GroundTruth truth) {
    List<JsonNode> values = proposals.stream().map(one -> one.path(question.name())).toList();
    boolean lists = truth.value().isArray() || values.stream().anyMatch(JsonNode::isArray);
    return lists ? union(question, truth, values) : choice(question, truth, values);
  }

  private FieldAnswer choice(Question question, GroundTruth truth, List<JsonNode> values) {
    List<Candidate> candidates =
        candidates(values.stream().filter(value -> !value.isMissingNode()).toList());
    if (candidates.isEmpty()) {
      return new FieldAnswer(question.name(), SchemaCoercion.nothing(question.shape()), 0.5);
    }
    Candidate best = candidates.getFirst();
    double highest = Double.NEGATIVE_INFINITY;
    double total = 0;
    double chosen = 0;
    for (Candidate candidate : candidates) {
      double belief = belief(truth, candidate);
      double score = belief + gumbel(truth, TextNormalizer.of(candidate.value()));
      total += Math.exp(belief);
      if (score > highest) {
        highest = score;
        best = candidate;
        chosen = Math.exp(belief);
      }
    }
    return new FieldAnswer(
        question.name(), SchemaCoercion.fit(best.value(), question.shape()), chosen / total);
  }

  private double belief(GroundTruth truth, Candidate candidate) {
    SkillFormula formula = call.skill().formula();
    boolean right = AnswerSimilarity.same(truth.value(), candidate.value());
    return (right ? recognition(truth, 0) : 0) + formula.voteWeight() * (candidate.votes() - 1);
  }

  /**
   * Advantage of the right proposal in log-odds; the minimum if the prompt does not show the
   * evidence.
   */
  private double recognition(GroundTruth truth, int item) {
    double least = call.skill().formula().weakestRecognition();
    EvidenceMatch evidence =
        truth.absent() ? EvidenceMatch.at(0) : call.locator().locate(truth, item);
    if (!evidence.visible()) {
      return least;
    }
    double margin =
        call.skill()
                .margin(
                    TaskKind.AGGREGATE,
                    truth.difficulty(),
                    call.conditions().at(evidence.position()))
            + call.effects().shared(truth.document(), truth.key());
    return Math.max(least, margin);
  }

  private double gumbel(GroundTruth truth, String candidate) {
    double uniform =
        call.effects().draw("aggregate", truth.document(), truth.key()).with(candidate).uniform();
    return -Math.log(-Math.log(Math.max(1e-12, uniform)));
  }

  private FieldAnswer union(Question question, GroundTruth truth, List<JsonNode> values) {
    List<JsonNode> all = new ArrayList<>();
    values.forEach(value -> value.forEach(all::add));
    ArrayNode kept = JSON.arrayNode();
    double lowest = 2;
    for (Candidate candidate : candidates(all)) {
      double latent = keep(truth, candidate, values.size());
      if (latent > 0) {
        kept.add(candidate.value());
        lowest = Math.min(lowest, latent);
      }
    }
    return new FieldAnswer(
        question.name(), SchemaCoercion.fit(kept, question.shape()), Skill.probability(lowest));
  }

  private double keep(GroundTruth truth, Candidate candidate, int proposers) {
    int item = AnswerSimilarity.indexOf(truth.value(), candidate.value());
    double recognition = recognition(truth, Math.max(item, 0));
    double votes =
        call.skill().formula().voteWeight() * (2.0 * candidate.votes() - proposers) / proposers;
    double noise =
        call.effects()
            .draw("aggregate", truth.document(), truth.key())
            .with(TextNormalizer.of(candidate.value()))
            .normal();
    return (item >= 0 ? recognition : -recognition)
        + votes
        + call.skill().formula().ownNoise() * noise;
  }

  private static List<Candidate> candidates(List<JsonNode> values) {
    List<Candidate> candidates = new ArrayList<>();
    for (JsonNode value : values) {
      int known = -1;
      for (int i = 0; i < candidates.size() && known < 0; i++) {
        known = AnswerSimilarity.same(candidates.get(i).value(), value) ? i : -1;
      }
      if (known < 0) {
        candidates.add(new Candidate(value, 1));
      } else {
        candidates.set(
            known, new Candidate(candidates.get(known).value(), candidates.get(known).votes() + 1));
      }
    }
    return candidates;
  }
}
