package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.optimizer.search.rule.RewriteRule;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The rewrite rules, and what they make of a program. Since they change which operators there are,
 * and not just their order, every combination of them is a program of its own to the search, as
 * long as something is known of all its operators.
 */
public final class Rewrites {

  /** All of them. */
  public static final List<RewriteRule> ALL =
      List.of(new DecomposeFilter(), new FuseMaps(), new FuseFilters());

  /** Programs that are searched at most, the one as written among them. */
  public static final int MOST_PROGRAMS = 64;

  private Rewrites() {}

  /**
   * A place where a rule fires.
   *
   * @param at position of the first operator that it replaces
   * @param instead what stands in their place, the lowest first
   */
  public record Site(RewriteRule rule, int at, List<LogicalOperator> instead) {

    public Site {
      instead = List.copyOf(instead);
    }

    /** The operators that are replaced. */
    public List<LogicalOperator> replaced(Program program) {
      return program.operators().subList(at, end());
    }

    private int end() {
      return at + rule.width();
    }
  }

  /**
   * Programs to search.
   *
   * @param programs the one as written first, then those with the fewest rewrites
   * @param complete whether there are no more than {@link #MOST_PROGRAMS}
   */
  public record Variants(List<Program> programs, boolean complete) {
    public Variants {
      programs = List.copyOf(programs);
    }
  }

  /** Every place in a program where a rule fires, in the order of the operators. */
  public static List<Site> sites(Program program) {
    List<Site> sites = new ArrayList<>();
    List<LogicalOperator> operators = program.operators();
    for (int at = 0; at < operators.size(); at++) {
      for (RewriteRule rule : ALL) {
        int end = at + rule.width();
        if (end <= operators.size() && isChain(program, at, end)) {
          List<LogicalOperator> instead = rule.rewrite(operators.subList(at, end));
          if (!instead.isEmpty()) {
            sites.add(new Site(rule, at, instead));
          }
        }
      }
    }
    return sites;
  }

  /** Whether each takes the output of the one before, and nobody else does. */
  private static boolean isChain(Program program, int from, int end) {
    List<LogicalOperator> operators = program.operators();
    for (int i = from + 1; i < end; i++) {
      String before = operators.get(i - 1).id();
      if (!operators.get(i).inputs().equals(List.of(before)) || takers(operators, before) != 1) {
        return false;
      }
    }
    return true;
  }

  private static int takers(List<LogicalOperator> operators, String id) {
    int takers = 0;
    for (LogicalOperator operator : operators) {
      takers += operator.inputs().contains(id) ? 1 : 0;
    }
    return takers;
  }

  /** The operators that rules make, by id, each with the place that it is for. */
  public static Map<String, Site> derived(Program program) {
    Map<String, Site> derived = new LinkedHashMap<>();
    for (Site site : sites(program)) {
      site.instead().forEach(operator -> derived.put(operator.id(), site));
    }
    return derived;
  }

  /**
   * The programs that follow from a program.
   *
   * @param known whether there is anything to choose from for an operator that a rule made
   */
  public static Variants of(Program program, Predicate<LogicalOperator> known) {
    List<Site> sites = new ArrayList<>();
    for (Site site : sites(program)) {
      if (isKnown(site, known)) {
        sites.add(site);
      }
    }
    List<List<Site>> chosen = new ArrayList<>(List.of(List.of()));
    for (int next = 0; next < chosen.size() && chosen.size() <= MOST_PROGRAMS; next++) {
      List<Site> before = chosen.get(next);
      int free = before.isEmpty() ? 0 : before.getLast().end();
      for (Site site : sites) {
        if (site.at() >= free) {
          List<Site> more = new ArrayList<>(before);
          more.add(site);
          chosen.add(more);
        }
      }
    }
    List<Program> programs = new ArrayList<>();
    for (List<Site> some : chosen.subList(0, Math.min(chosen.size(), MOST_PROGRAMS))) {
      programs.add(rewritten(program, some));
    }
    return new Variants(programs, chosen.size() <= MOST_PROGRAMS);
  }

  private static boolean isKnown(Site site, Predicate<LogicalOperator> known) {
    for (LogicalOperator operator : site.instead()) {
      if (!known.test(operator)) {
        return false;
      }
    }
    return true;
  }

  private static Program rewritten(Program program, List<Site> sites) {
    List<LogicalOperator> operators = new ArrayList<>();
    int done = 0;
    for (Site site : sites) {
      operators.addAll(program.operators().subList(done, site.at()));
      operators.addAll(site.instead());
      done = site.end();
    }
    operators.addAll(program.operators().subList(done, program.operators().size()));
    return sites.isEmpty() ? program : program.withOperators(operators);
  }
}
