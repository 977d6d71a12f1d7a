package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Stages;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Programs with the same meaning whose operators run on other sides of a split, a merge or a join
 * of streams. They run on the topology of the given program: an operator moves only to a place that
 * has a segment there ({@link Stages#places}), so a plan can move it by data alone.
 *
 * @param programs the given program first
 * @param complete whether these are all programs that the rules reach
 */
public record EquivalentPrograms(List<Program> programs, boolean complete) {

  private static final int MOST = 64;

  /** Applies all rules to a program until nothing new is found. */
  public static EquivalentPrograms of(Program program) {
    boolean plain =
        program.operators().stream()
            .allMatch(operator -> operator.isPerDocument() && operator.inputs().size() == 1);
    if (plain) {
      return new EquivalentPrograms(List.of(program), true);
    }
    Set<Stages.Place> places = Stages.places(program).keySet();
    List<Program> found = new ArrayList<>(List.of(program));
    Set<Set<LogicalOperator>> seen = new HashSet<>(Set.of(new HashSet<>(program.operators())));
    for (int i = 0; i < found.size(); i++) {
      for (LogicalOperator operator : found.get(i).operators()) {
        for (ProgramRule rule : ProgramRule.ALL) {
          Program other = rule.apply(found.get(i), operator);
          if (other != null && fits(other, places) && seen.add(new HashSet<>(other.operators()))) {
            if (found.size() == MOST) {
              return new EquivalentPrograms(found, false);
            }
            found.add(other);
          }
        }
      }
    }
    return new EquivalentPrograms(found, true);
  }

  private static boolean fits(Program other, Set<Stages.Place> places) {
    return places.containsAll(Stages.placeByOperator(other).values());
  }
}
