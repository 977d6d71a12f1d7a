package dev.abacus.deploy.evaluation.price;

import java.util.List;
import java.util.Locale;

/**
 * A way to pay less for the same documents: two runs of a program that differ in nothing else. A
 * further lever is a further constant with its cases.
 */
enum Lever {
  /** OpenAI's service tier {@code flex}, at half the price. */
  FLEX,
  /** The providers' caches of the beginnings of prompts, and the plan that they make cheaper. */
  PROMPT_CACHE,
  /** The order of fields by repetition. Without {@code reads}, prompts show fields as they come. */
  FIELD_ORDER,
  /** The order of filters by document, against the best one that is equal for all. */
  FILTER_ORDER;

  /** The programs that it may change the price of. */
  List<PricedProgram> programs() {
    return switch (this) {
      case FLEX ->
          List.of(
              PricedProgram.CUAD,
              PricedProgram.BIODEX,
              PricedProgram.MMQA,
              PricedProgram.ENRON,
              PricedProgram.BANKING77);
      case PROMPT_CACHE ->
          List.of(PricedProgram.HANDBOOK, PricedProgram.CUAD, PricedProgram.BANKING77);
      case FIELD_ORDER -> List.of(PricedProgram.TERMS);
      case FILTER_ORDER -> List.of(PricedProgram.CITY);
    };
  }

  /** The run without the lever. */
  PricedRun without(PricedRun run) {
    return switch (this) {
      case FLEX -> ofGpt5(run).with("judge", "gpt-5-mini");
      case PROMPT_CACHE -> run.withoutCachedPrices();
      case FIELD_ORDER -> run.without("reads");
      case FILTER_ORDER -> run.without("learning");
    };
  }

  /** The run with the lever. */
  PricedRun with(PricedRun run) {
    return switch (this) {
      case FLEX -> ofGpt5(run).with("tiers", "[standard, flex]").with("judge", "gpt-5-mini@flex");
      case PROMPT_CACHE, FIELD_ORDER, FILTER_ORDER -> run;
    };
  }

  /** Models that have the tier, and an objective without a bound on latency. */
  private static PricedRun ofGpt5(PricedRun run) {
    return run.with("models", "[gpt-5-nano, gpt-5-mini]")
        .with("objective", "{ maximize: quality }");
  }

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
