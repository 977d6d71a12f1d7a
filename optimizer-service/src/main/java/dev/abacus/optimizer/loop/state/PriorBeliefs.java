package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.estimate.ArmStatistics;
import dev.abacus.optimizer.sampling.prior.LearnedArm;
import dev.abacus.optimizer.sampling.prior.LearnedOperator;
import dev.abacus.optimizer.sampling.prior.NaivePriors;
import dev.abacus.optimizer.sampling.prior.PriorSource;
import dev.abacus.optimizer.sampling.prior.RoundPriors;
import dev.abacus.optimizer.sampling.prior.TransferredPriors;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.optimizer.search.cost.PriorsReader;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The priors of a program's implementations: those of the user, else those of the configured
 * sources in their order. Each operator takes all its priors from the first source that has any for
 * it, because sources are not comparable with each other.
 *
 * <p>Learned operators of other programs are transferred once, when a round of sampling begins, and
 * do not change until the next round. So a restart continues with the same priors.
 */
public final class PriorBeliefs {

  private final String name;
  private final List<PriorSource> sources;
  private final ModelCatalogue catalogue;

  private @Nullable String givenText;
  private Priors given = Priors.NONE;
  private Priors naive = Priors.NONE;
  private @Nullable RoundPriors transferred;
  private final SortedMap<String, LearnedOperator> others = new TreeMap<>();
  private final Map<String, LearnedOperator> own = new TreeMap<>();

  /** The implementations and the kinds of the semantic operators. */
  private final Map<String, List<PhysicalOperator>> space = new LinkedHashMap<>();

  private final Map<String, String> kinds = new LinkedHashMap<>();
  private @Nullable String problem;

  public PriorBeliefs(String program, List<PriorSource> sources, ModelCatalogue catalogue) {
    this.name = program;
    this.sources = List.copyOf(sources);
    this.catalogue = catalogue;
  }

  /** Sets the program and its implementations, by operator id. */
  void program(Program program, Map<String, List<PhysicalOperator>> implementations) {
    kinds.clear();
    space.clear();
    for (LogicalOperator operator : program.semanticOperators()) {
      kinds.put(operator.id(), operator.kind());
      space.put(operator.id(), implementations.getOrDefault(operator.id(), List.of()));
    }
    naive = sources.contains(PriorSource.NAIVE) ? NaivePriors.of(space, catalogue) : Priors.NONE;
    given = Priors.NONE;
    problem = givenText == null ? null : read(givenText);
  }

  /**
   * Sets the user's priors; null removes them.
   *
   * @return null if they were applied; else why they are refused, and nothing changed
   */
  @Nullable String give(@Nullable String json) {
    if (json == null) {
      given = Priors.NONE;
      problem = null;
    } else if (!kinds.isEmpty()) {
      String refusal = read(json);
      if (refusal != null) {
        return refusal;
      }
      problem = null;
    }
    givenText = json;
    return null;
  }

  private @Nullable String read(String json) {
    try {
      given = PriorsReader.read(json, space).priors();
      return null;
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  /** Why the user's priors do not fit a program that was set after them; null if they do. */
  public @Nullable String problem() {
    return problem;
  }

  /** Records what a search learned, of this or another program. */
  void learned(String program, String operator, @Nullable LearnedOperator learned) {
    if (program.equals(name)) {
      own.compute(operator, (_, _) -> learned);
    } else {
      others.compute(program + "/" + operator, (_, _) -> learned);
    }
  }

  /** Sets the transferred priors; null removes them. */
  public void transferred(@Nullable RoundPriors priors) {
    transferred = priors;
  }

  /**
   * Computes the priors to transfer from other programs; null if the round needs none.
   *
   * @param begun whether a sample of this round was issued
   */
  public @Nullable RoundPriors transfer(String round, boolean begun) {
    if (begun
        || kinds.isEmpty()
        || !sources.contains(PriorSource.LEARNT)
        || (transferred != null && transferred.round().equals(round))) {
      return null;
    }
    return new RoundPriors(round, TransferredPriors.of(space, kinds, others.values()));
  }

  /** The priors in force. */
  public Priors priors() {
    List<Priors> order = new ArrayList<>(List.of(given));
    for (PriorSource source : sources) {
      order.add(
          switch (source) {
            case LEARNT -> transferred == null ? Priors.NONE : transferred.priors();
            case NAIVE -> naive;
          });
    }
    Map<String, Map<String, OperatorEstimate>> first = new TreeMap<>();
    for (Priors priors : order) {
      priors
          .byOperator()
          .forEach((operator, byId) -> {
            if (!byId.isEmpty()) {
              first.putIfAbsent(operator, byId);
            }
          });
    }
    return first.isEmpty() ? Priors.NONE : new Priors(first);
  }

  /** What this search learned and has not published yet, by operator id. */
  public Map<String, LearnedOperator> unpublished(ProgramSnapshot view) {
    Map<String, LearnedOperator> learned = new LinkedHashMap<>();
    for (LogicalOperator operator : view.program().semanticOperators()) {
      LearnedOperator now = learnedOperator(view, operator);
      if (!now.implementations().isEmpty() && !now.equals(own.get(operator.id()))) {
        learned.put(operator.id(), now);
      }
    }
    return learned;
  }

  private static LearnedOperator learnedOperator(ProgramSnapshot view, LogicalOperator operator) {
    List<LearnedArm> arms = new ArrayList<>();
    for (Map.Entry<PhysicalOperator, ArmStatistics> arm :
        view.sampled(operator).answering().entrySet()) {
      OperatorEstimate estimate = arm.getValue().estimate();
      if (estimate != null) {
        arms.add(LearnedArm.of(arm.getKey(), arm.getValue().samples(), estimate));
      }
    }
    return new LearnedOperator(operator.kind(), arms);
  }
}
