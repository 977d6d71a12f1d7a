package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.sampling.prior.BelievedPriors;
import dev.abacus.optimizer.sampling.prior.LearntArm;
import dev.abacus.optimizer.sampling.prior.LearntOperator;
import dev.abacus.optimizer.sampling.prior.NaivePriors;
import dev.abacus.optimizer.sampling.prior.PriorSource;
import dev.abacus.optimizer.sampling.prior.TransferredPriors;
import dev.abacus.optimizer.search.cost.ArmStatistics;
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
 * What is believed of a program's implementations before it is sampled: what a user gave, or else
 * what the sources of the settings say, in their order. The first that says anything of an operator
 * has the whole operator: in what units it speaks is its own affair.
 *
 * <p>What other programs have learnt is taken over once, when a round of sampling begins, and stays
 * the same until the next: so a restart goes on with what the search began with.
 */
public final class PriorBeliefs {

  private final String name;
  private final List<PriorSource> sources;
  private final ModelCatalogue catalogue;

  private @Nullable String givenText;
  private Priors given = Priors.NONE;
  private Priors naive = Priors.NONE;
  private @Nullable BelievedPriors transferred;
  private final SortedMap<String, LearntOperator> others = new TreeMap<>();
  private final Map<String, LearntOperator> own = new TreeMap<>();
  private Map<String, List<PhysicalOperator>> space = Map.of();
  private final Map<String, String> kinds = new LinkedHashMap<>();
  private @Nullable String problem;

  public PriorBeliefs(String program, List<PriorSource> sources, ModelCatalogue catalogue) {
    this.name = program;
    this.sources = List.copyOf(sources);
    this.catalogue = catalogue;
  }

  /** The program is this now, with these implementations by operator id. */
  void program(Program program, Map<String, List<PhysicalOperator>> implementations) {
    space = implementations;
    kinds.clear();
    program.semanticOperators().forEach(operator -> kinds.put(operator.id(), operator.kind()));
    naive = sources.contains(PriorSource.NAIVE) ? NaivePriors.of(space, catalogue) : Priors.NONE;
    given = Priors.NONE;
    problem = givenText == null ? null : read(givenText);
  }

  /**
   * A user gives priors, or null to take them back.
   *
   * @return why they are refused; then those before stay
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
    Map<String, List<String>> ids = new LinkedHashMap<>();
    kinds
        .keySet()
        .forEach(operator ->
            ids.put(
                operator,
                space.getOrDefault(operator, List.of()).stream()
                    .map(PhysicalOperator::id)
                    .toList()));
    try {
      given = PriorsReader.read(json, ids).priors();
      return null;
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  /** Why priors that were given do not fit the program that came after them; null if they do. */
  public @Nullable String problem() {
    return problem;
  }

  /** A search learnt something: of this program, or of another one. */
  void learnt(String program, String operator, @Nullable LearntOperator lesson) {
    if (program.equals(name)) {
      if (lesson == null) {
        own.remove(operator);
      } else {
        own.put(operator, lesson);
      }
    } else if (lesson == null) {
      others.remove(program + "/" + operator);
    } else {
      others.put(program + "/" + operator, lesson);
    }
  }

  /** This was taken over from other programs. */
  public void transferred(@Nullable BelievedPriors believed) {
    transferred = believed;
  }

  /**
   * What to take over from other programs now; null if nothing is to be.
   *
   * @param begun whether samples of this round were issued before
   */
  public @Nullable BelievedPriors transfer(String round, boolean begun) {
    if (begun
        || kinds.isEmpty()
        || !sources.contains(PriorSource.LEARNT)
        || (transferred != null && transferred.round().equals(round))) {
      return null;
    }
    return new BelievedPriors(round, TransferredPriors.of(space, kinds, others.values()));
  }

  /** What policies are to start from. */
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

  /** By operator: what this search has learnt that is not on the topic yet. */
  public Map<String, LearntOperator> lessons(ProgramSnapshot view) {
    Map<String, LearntOperator> lessons = new LinkedHashMap<>();
    for (LogicalOperator operator : view.program().semanticOperators()) {
      LearntOperator lesson = lesson(view, operator);
      if (!lesson.implementations().isEmpty() && !lesson.equals(own.get(operator.id()))) {
        lessons.put(operator.id(), lesson);
      }
    }
    return lessons;
  }

  private static LearntOperator lesson(ProgramSnapshot view, LogicalOperator operator) {
    List<LearntArm> arms = new ArrayList<>();
    for (Map.Entry<PhysicalOperator, ArmStatistics> arm : view.answering(operator).entrySet()) {
      OperatorEstimate estimate = arm.getValue().estimate();
      if (estimate != null) {
        arms.add(LearntArm.of(arm.getKey(), arm.getValue().samples(), estimate));
      }
    }
    return new LearntOperator(operator.kind(), arms);
  }
}
