package dev.abacus.optimizer.loop.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.BranchFields;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The order in which the prompts of an operator show the fields of a document. Providers cache the
 * beginning of a prompt, so fields whose values repeat over documents stand before those whose
 * values do not:
 *
 * <pre>
 *   shared(order) = sum over examples of the length of the longest beginning of the fields
 *                   that another example has too
 * </pre>
 *
 * <p>One order holds for all documents of a plan, and the best one is found exactly for up to
 * {@value #MOST} fields that repeat: what a field adds depends on the set of fields before it, not
 * on their order (dynamic programming over sets). Fields that an operator upstream writes are not
 * in the examples, and follow as the program names them.
 *
 * <p>Liu et al., "Optimizing LLM Queries in Relational Data Analytics Workloads", arXiv 2403.05821,
 * reorder rows too, which a stream cannot.
 */
public final class FieldOrder {

  /** The most fields that are ordered; further ones follow as the program names them. */
  static final int MOST = 8;

  /** The most examples that are read, by id. */
  private static final int EXAMPLES = 200;

  /**
   * Part of the text by which an order must be better than the present one: another order is
   * another prompt, so its samples are drawn anew.
   */
  private static final double GAIN = 0.05;

  private final List<String> written;

  /** Number of the value of a field, by example and field; equal for equal values. */
  private final int[][] values;

  /** Characters of the value of a field, by example and field. */
  private final int[][] lengths;

  private FieldOrder(List<String> written, List<ValidationExample> examples) {
    this.written = written;
    this.values = new int[examples.size()][written.size()];
    this.lengths = new int[examples.size()][written.size()];
    for (int field = 0; field < written.size(); field++) {
      Map<JsonNode, Integer> numbers = new HashMap<>();
      for (int i = 0; i < examples.size(); i++) {
        JsonNode value = examples.get(i).document().get(written.get(field));
        values[i][field] = numbers.computeIfAbsent(value, _ -> numbers.size());
        lengths[i][field] =
            value.isTextual() ? value.textValue().length() : value.toString().length();
      }
    }
  }

  /**
   * The program, whose operators show their fields in the best order, or in the present one if that
   * is about as good.
   *
   * @param present the operator with this id in its present order; null if there is none
   */
  public static Program applied(
      Program program,
      Collection<ValidationExample> examples,
      Function<String, @Nullable LogicalOperator> present) {
    List<LogicalOperator> operators =
        program.operators().stream()
            .map(operator -> {
              List<String> fields = operator.seenByModel();
              if (fields.size() < 2 || fields.size() >= Long.SIZE || !operator.isSemantic()) {
                return operator;
              }
              LogicalOperator known = present.apply(operator.id());
              List<String> now =
                  known != null && isSame(known.withInputs(operator.inputs()), operator)
                      ? known.seenByModel()
                      : fields;
              Set<String> upstream = BranchFields.upstream(operator.id(), program.operators());
              List<ValidationExample> read =
                  examples.stream()
                      .filter(example -> upstream.contains(example.source()))
                      .sorted(Comparator.comparing(ValidationExample::id))
                      .limit(EXAMPLES)
                      .toList();
              return operator.withOrder(of(fields, now, read));
            })
            .toList();
    return operators.equals(program.operators()) ? program : program.withOperators(operators);
  }

  /** Whether two operators differ in the order of their fields at most. */
  public static boolean isSame(LogicalOperator one, LogicalOperator other) {
    List<String> fields = other.seenByModel();
    return one.equals(other)
        || (one.seenByModel().size() == fields.size()
            && new HashSet<>(one.seenByModel()).equals(new HashSet<>(fields))
            && one.withOrder(fields).equals(other));
  }

  /**
   * The best order of the fields for these examples, and the present one if it is about as good.
   */
  static List<String> of(
      List<String> fields, List<String> present, List<ValidationExample> examples) {
    return new FieldOrder(fields, examples).instead(present);
  }

  private List<String> instead(List<String> present) {
    List<String> best = best();
    double all = Arrays.stream(lengths).flatMapToInt(Arrays::stream).sum();
    return shared(best) - shared(present) > GAIN * all ? best : present;
  }

  /** Characters at the beginning of the fields that another example has too, over all examples. */
  private long shared(List<String> order) {
    long sum = 0;
    long before = 0;
    for (String field : order) {
      int added = written.indexOf(field);
      sum += added(before, added);
      before |= 1L << added;
    }
    return sum;
  }

  /** What a field adds to the shared characters behind a set of fields. */
  private long added(long before, int field) {
    Map<List<Integer>, Integer> counts = new HashMap<>();
    List<List<Integer>> keys = new ArrayList<>();
    for (int[] row : values) {
      List<Integer> key = new ArrayList<>();
      for (int other = 0; other < row.length; other++) {
        if (other == field || (before >> other & 1) == 1) {
          key.add(row[other]);
        }
      }
      keys.add(key);
      counts.merge(key, 1, Integer::sum);
    }
    long sum = 0;
    for (int i = 0; i < values.length; i++) {
      sum += counts.getOrDefault(keys.get(i), 0) > 1 ? lengths[i][field] : 0;
    }
    return sum;
  }

  private List<String> best() {
    List<Integer> repeated = new ArrayList<>();
    for (int field = 0; field < written.size(); field++) {
      if (added(0, field) > 0) {
        repeated.add(field);
      }
    }
    repeated.sort(Comparator.comparingLong(field -> -added(0, field)));
    List<Integer> ordered = repeated.subList(0, Math.min(MOST, repeated.size()));
    int sets = 1 << ordered.size();
    long[] most = new long[sets];
    int[] last = new int[sets];
    for (int set = 1; set < sets; set++) {
      most[set] = -1;
      for (int i = 0; i < ordered.size(); i++) {
        int without = set & ~(1 << i);
        if (without != set) {
          long shared = most[without] + added(fields(without, ordered), ordered.get(i));
          // Of equal ones, the longer fields stand first.
          if (shared >= most[set]) {
            most[set] = shared;
            last[set] = i;
          }
        }
      }
    }
    List<String> order = new ArrayList<>();
    for (int set = sets - 1; set > 0; set &= ~(1 << last[set])) {
      order.addFirst(written.get(ordered.get(last[set])));
    }
    written.stream().filter(field -> !order.contains(field)).forEach(order::add);
    return List.copyOf(order);
  }

  private static long fields(int set, List<Integer> ordered) {
    long fields = 0;
    for (int i = 0; i < ordered.size(); i++) {
      fields |= (set >> i & 1L) << ordered.get(i);
    }
    return fields;
  }
}
