package dev.abacus.optimizer.estimate;

import dev.abacus.schemas.catalogue.ServiceTier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The mean of scores, moved by what the judge says of live outputs ({@link JudgedOutputs}). A
 * proportion is the mean of scores of 0 and 1; how far scores are of this kind, and what their
 * variance is then, is seen by the model of the scores of all implementations.
 */
record MeanScore(String operator, Map<String, JudgedOutputs.Correction> corrections)
    implements Estimator {

  static MeanScore of(OperatorContext context, List<Evidence> evidence) {
    Map<String, JudgedOutputs.Correction> corrections = new HashMap<>();
    context
        .judged()
        .forEach((implementation, judged) -> {
          JudgedOutputs.Correction correction =
              judged.correction(
                  evidence.stream().filter(one -> one.answering().equals(implementation)).toList());
          if (correction != null) {
            corrections.put(implementation, correction);
          }
        });
    return new MeanScore(context.operator().id(), corrections);
  }

  @Override
  public @Nullable Double quality(Evidence evidence) {
    Double score = evidence.seen().quality();
    JudgedOutputs.Correction correction = corrections.get(evidence.answering());
    return score == null || correction == null
        ? score
        : Double.valueOf(correction.moved(evidence, score));
  }

  @Override
  public double outputs(Evidence evidence) {
    return evidence.seen().outputCount();
  }

  @Override
  public double rest(Evidence evidence) {
    JudgedOutputs.Correction correction = corrections.get(evidence.answering());
    return correction == null || !correction.has(evidence) ? 1 : correction.rest();
  }

  @Override
  public Loadings error(String implementation) {
    String answering = ServiceTier.withoutTiers(implementation);
    JudgedOutputs.Correction correction = corrections.get(answering);
    return correction == null
        ? Loadings.NONE
        : Loadings.of(
            new RandomEffect(RandomEffect.Kind.JUDGE, operator, "live " + answering),
            correction.error());
  }
}
