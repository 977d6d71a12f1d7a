package dev.abacus.optimizer;

import dev.abacus.schemas.expression.WhereExpression;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.PairCondition;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.Program.Results;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.schemas.program.Settings;
import dev.abacus.schemas.program.SortField;
import dev.abacus.schemas.program.TopK;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Programs in a line, for tests. */
public final class Given {

  private Given() {}

  /** A chain of operators over one source, in the order given. */
  public static Program program(Spec... specs) {
    return program(List.of(specs));
  }

  /** A chain of operators over one source, in the order given. */
  public static Program program(List<Spec> specs) {
    List<LogicalOperator> operators = new ArrayList<>();
    String input = "documents";
    for (Spec spec : specs) {
      LogicalOperator operator = spec.over.apply(input);
      operators.add(operator);
      input = operator.id();
    }
    return new Program(
        "test",
        List.of(new Source("documents", "documents", Format.JSON, "id")),
        List.of(),
        operators,
        new Results("results", Format.JSON),
        Settings.defaults("test"));
  }

  /** A map of these fields; it writes one field of its own name. */
  public static Spec map(String id, String... reads) {
    return map(id, List.of(id), reads);
  }

  /** A map; no reads means all. */
  public static Spec map(String id, List<String> writes, String... reads) {
    List<Field> fields =
        writes.stream()
            .map(name -> new Field(name, new FieldType.StringType(List.of()), "", false))
            .toList();
    return new Spec(input -> new SemanticMap(id, input, "Do " + id, Arrays.asList(reads), fields));
  }

  /** A filter; no reads means all. */
  public static Spec filter(String id, String... reads) {
    return new Spec(input -> new SemanticFilter(id, input, "It is " + id, Arrays.asList(reads)));
  }

  /** A map that makes any number of outputs. */
  public static Spec manyMap(String id, String... reads) {
    List<Field> fields = List.of(new Field(id, new FieldType.StringType(List.of()), "", false));
    return new Spec(input ->
        new SemanticMap(id, input, "Do " + id, Arrays.asList(reads), fields, Cardinality.MANY));
  }

  /** A search of a reference; it writes one field of its own name. */
  public static Spec topK(String id, String... query) {
    return new Spec(input -> new TopK(id, input, "items", Arrays.asList(query), null, id));
  }

  /** An order of a list; it writes one field of its own name. */
  public static Spec rank(String id, String items, String... reads) {
    return new Spec(input ->
        new SemanticRank(
            id, input, items, "It goes with " + id, Arrays.asList(reads), 3, "id", id));
  }

  /** An entity resolution; the item goes to a field of its own name. */
  public static Spec resolve(String id, String... reads) {
    return new Spec(
        input -> new EntityResolution(id, input, "items", "It is " + id, Arrays.asList(reads), id));
  }

  /** A join with a reference, one output per match; the item goes to a field of its own name. */
  public static Spec join(String id, String... reads) {
    return new Spec(input ->
        new ReferenceJoin(
            id,
            input,
            "items",
            "It goes with " + id,
            PairCondition.NONE,
            Arrays.asList(reads),
            JoinKind.INNER,
            id,
            false));
  }

  /** A filter that code decides alone. */
  public static Spec where(String id, String expression, @Nullable Double fanout) {
    return new Spec(input ->
        new SemanticFilter(
            id, input, List.of(), List.of(), WhereExpression.compile(expression), fanout));
  }

  /** A projection. */
  public static Spec project(String id, String... fields) {
    return new Spec(input -> new Project(id, input, Arrays.asList(fields)));
  }

  /** A limit to the first documents, or to the largest per hour by these fields: a barrier. */
  public static Spec limit(long documents, String... order) {
    List<SortField> fields = Arrays.stream(order).map(field -> new SortField(field, true)).toList();
    return new Spec(input ->
        fields.isEmpty()
            ? new Limit("limit", input, documents, null, List.of(), null, null)
            : new Limit("limit", input, documents, Duration.ofHours(1), fields, null, null));
  }

  /** An operator whose input is still open. */
  public record Spec(Function<String, LogicalOperator> over) {}
}
