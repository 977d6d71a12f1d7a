package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.input.Keyword;
import dev.abacus.schemas.objective.Objective;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a program is optimized and run, as opposed to what it computes.
 *
 * @param governance limits that the governor enforces, apart from the spending cap
 * @param learning what live documents teach; null if nothing is said of it
 */
@RecordBuilder
public record Settings(
    Objective objective,
    Budget budget,
    Validation validation,
    Models models,
    Ordering ordering,
    Governance governance,
    @Nullable Learning learning)
    implements SettingsBuilder.With {

  /** The settings of a program that states none. */
  public static Settings defaults(String program) {
    return new Settings(
        Objective.MAXIMIZE_QUALITY,
        Budget.NONE,
        new Validation(Validation.defaultTopic(program), Map.of()),
        Models.ALL,
        Ordering.KEY,
        Governance.NONE,
        null);
  }

  /**
   * Limits on what a program may spend.
   *
   * @param search budget of the search for a plan; null means {@link
   *     SampleBudget#SAMPLES_PER_OPERATOR} samples per semantic operator
   * @param spending cap on the cost of live documents; null means no cap
   * @param horizon for which documents the search has to pay; null if it may use its whole budget
   */
  public record Budget(
      @Nullable SampleBudget search, @Nullable Spending spending, @Nullable Horizon horizon) {

    /** The default search budget and no spending cap. */
    public static final Budget NONE = new Budget(null, null, null);
  }

  /**
   * The models that a program may use.
   *
   * @param allowed names of the model catalogue that implementations may use; empty means all
   * @param tiers service tiers, such as {@code flex}, at which they may call models that are named
   *     without one; empty means {@code standard}
   * @param judge the model that scores outputs without a label
   * @param judgeReasoning how the judge reasons before it answers; null as its card says
   * @param judgeExamples number of graded examples that the judge sees; 0 for none
   */
  @RecordBuilder
  public record Models(
      List<String> allowed,
      List<String> tiers,
      String judge,
      @Nullable Reasoning judgeReasoning,
      int judgeExamples)
      implements SettingsModelsBuilder.With {

    /** Largest number of graded examples: each prompt of the judge contains them. */
    public static final int MOST_EXAMPLES = 10;

    /** All models of the catalogue, with the default judge. */
    public static final Models ALL = new Models(List.of(), Program.DEFAULT_JUDGE);

    public Models {
      allowed = List.copyOf(allowed);
      tiers = List.copyOf(tiers);
      if (judgeExamples < 0 || judgeExamples > MOST_EXAMPLES) {
        throw new IllegalArgumentException(
            "%d examples of the judge; there may be 1 to %d"
                .formatted(judgeExamples, MOST_EXAMPLES));
      }
    }

    /** A judge that reasons as its card says. */
    public Models(List<String> allowed, String judge) {
      this(allowed, List.of(), judge, null, 0);
    }
  }

  /** Order of the results. */
  public enum Ordering implements Keyword {
    /** Results of one record key keep the order of their documents. */
    KEY,
    /** Results are emitted as soon as they are ready. */
    NONE
  }

  /**
   * Settings of the governor besides the spending cap: {@code governor: { lag: 1000, canary: 0.05,
   * judge: 0.01, mixture: true }}.
   *
   * @param lag maximum number of waiting documents; above it the governor activates a faster plan.
   *     Null means that lag never changes the plan
   * @param canary share of documents in (0, 1) that a new plan processes first. Null means that it
   *     processes all at once
   * @param judge share of live documents in (0, 1] that the judge scores, to detect quality drift.
   *     Null means none
   * @param mixture whether a mixture of two plans by key may be activated
   */
  public record Governance(
      @Nullable Long lag,
      @Nullable Double canary,
      @Nullable Double judge,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean mixture) {

    /** No settings. */
    public static final Governance NONE = new Governance(null, null, null, false);

    public Governance {
      if (lag != null && lag < 1) {
        throw new IllegalArgumentException("a lag target of " + lag + "; it must be at least 1");
      }
      if (canary != null && !(canary > 0 && canary < 1)) {
        throw new IllegalArgumentException(
            "a canary share of " + canary + "; it must be in (0, 1)");
      }
      if (judge != null && !(judge > 0 && judge <= 1)) {
        throw new IllegalArgumentException("a judged share of " + judge + "; it must be in (0, 1]");
      }
    }
  }
}
