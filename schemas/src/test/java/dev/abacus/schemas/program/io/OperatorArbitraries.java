package dev.abacus.schemas.program.io;

import static dev.abacus.schemas.program.io.ProgramArbitraries.duration;
import static dev.abacus.schemas.program.io.ProgramArbitraries.text;

import dev.abacus.schemas.expression.WhereExpression;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Computation;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.PairCondition;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.schemas.program.SortField;
import dev.abacus.schemas.program.TopK;
import dev.abacus.schemas.program.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.jspecify.annotations.Nullable;

/** Arbitrary steps of a program, each with one or more operators, and their fields. */
final class OperatorArbitraries {

  static final String REFERENCE = "catalog";

  private OperatorArbitraries() {}

  /** Operators that follow each other; every id starts with the given prefix. */
  interface Step {
    /**
     * The operators of the step.
     *
     * @param known the fields that its input has; null if any field may exist
     */
    List<LogicalOperator> after(String input, String id, @Nullable Set<String> known);
  }

  static Arbitrary<Step> step() {
    return Arbitraries.oneOf(
        map(),
        filter(),
        topK(),
        rank(),
        resolution(),
        referenceJoin(),
        aggregate(),
        limit(),
        codeFilter(),
        branches());
  }

  static Arbitrary<Step> tail() {
    return Arbitraries.oneOf(
        filter(),
        fieldNames()
            .filter(names -> !names.isEmpty())
            .map(names ->
                (input, id, known) -> {
                  List<String> kept = existing(names, known);
                  return List.of(
                      new Project(id, input, kept.isEmpty() ? List.of(one("a", known)) : kept));
                }));
  }

  private static Arbitrary<Step> map() {
    return Combinators.combine(
            text(), reads(), fields(2), Arbitraries.of(SemanticMap.Cardinality.class))
        .as((instruction, reads, writes, cardinality) ->
            (input, id, known) ->
                List.of(
                    new SemanticMap(
                        id, input, instruction, existing(reads, known), writes, cardinality)));
  }

  private static Arbitrary<Step> filter() {
    return Combinators.combine(
            text().list().ofMinSize(1).ofMaxSize(3),
            reads(),
            Arbitraries.of("> 1", "== 'x y'", "in [1, 2]").injectNull(0.5))
        .as((conditions, reads, comparison) ->
            (input, id, known) ->
                List.of(
                    new SemanticFilter(
                        id,
                        input,
                        conditions,
                        existing(reads, known),
                        comparison == null
                            ? null
                            : WhereExpression.compile(
                                "doc['%s'] %s".formatted(one("a", known), comparison)),
                        null)));
  }

  private static Arbitrary<Step> codeFilter() {
    return Arbitraries.of(0.01, 1.0)
        .injectNull(0.5)
        .map(fanout ->
            (input, id, known) ->
                List.of(
                    new SemanticFilter(
                        id,
                        input,
                        List.of(),
                        List.of(),
                        WhereExpression.compile("doc['%s'] > 1".formatted(one("a", known))),
                        fanout)));
  }

  private static Arbitrary<Step> topK() {
    return Arbitraries.integers()
        .between(1, 50)
        .injectNull(0.3)
        .map(k ->
            (input, id, known) ->
                List.of(new TopK(id, input, REFERENCE, List.of(one("a", known)), k, "found")));
  }

  /** Ranks a list from a source or one that a search has written. */
  private static Arbitrary<Step> rank() {
    return Combinators.combine(
            text(),
            reads(),
            Arbitraries.integers().between(1, 50).injectNull(0.3),
            Arbitraries.of("id", "code"))
        .as((criterion, reads, k, key) ->
            (input, id, known) -> {
              String items = known == null ? "listed" : "found";
              SemanticRank rank =
                  new SemanticRank(
                      id + "-rank", input, items, criterion, existing(reads, known), k, key, items);
              List<String> query = List.of(one("a", known));
              return known == null
                  ? List.of(rank)
                  : List.of(
                      new TopK(id, input, REFERENCE, query, 9, items),
                      rank.withInputs(List.of(id)));
            });
  }

  private static Arbitrary<Step> resolution() {
    return Combinators.combine(text(), reads())
        .as((condition, reads) ->
            (input, id, known) ->
                List.of(
                    new EntityResolution(
                        id, input, REFERENCE, condition, existing(reads, known), "entity")));
  }

  private static Arbitrary<Step> referenceJoin() {
    return Combinators.combine(
            text(),
            reads(),
            Arbitraries.of(JoinKind.class),
            Arbitraries.of(true, false),
            Arbitraries.of("", "on", "where", "on where"))
        .as((condition, reads, kind, collected, inCode) ->
            (input, id, known) ->
                List.of(
                    new ReferenceJoin(
                        id,
                        input,
                        REFERENCE,
                        condition,
                        new PairCondition(
                            inCode.contains("on") ? Map.of(one("a", known), "label") : Map.of(),
                            inCode.contains("where")
                                ? WhereExpression.compileForPairs("item.label != 'x'")
                                : null),
                        existing(reads, known),
                        kind,
                        "matched",
                        collected)));
  }

  private static Arbitrary<Step> aggregate() {
    Arbitrary<Computation> computation =
        Arbitraries.of(Computation.Function.class)
            .map(function ->
                new Computation(function, function == Computation.Function.COUNT ? null : "a"));
    return Combinators.combine(
            window(),
            text().injectNull(0.5),
            fields(1),
            Arbitraries.maps(Arbitraries.of("total", "count"), computation).ofMinSize(1),
            Arbitraries.of(Aggregate.LateDocuments.class))
        .as((window, instruction, writes, compute, late) ->
            (input, id, known) ->
                List.of(
                    new Aggregate(
                        id,
                        input,
                        List.of(one("a", known)),
                        window,
                        instruction,
                        List.of(),
                        instruction == null ? List.of() : writes,
                        compute,
                        late,
                        null)));
  }

  private static Arbitrary<Step> limit() {
    return Combinators.combine(
            Arbitraries.longs().between(1, Long.MAX_VALUE),
            duration().injectNull(0.5),
            Arbitraries.of(true, false).list().ofMaxSize(2),
            duration().injectNull(0.5))
        .as((count, window, descending, grace) ->
            (input, id, known) -> {
              List<SortField> order =
                  window == null
                      ? List.of()
                      : descending.stream()
                          .map(down -> new SortField(one("id", known), down))
                          .toList();
              return List.of(
                  new Limit(id, input, count, window, order, order.isEmpty() ? null : grace, null));
            });
  }

  private static Arbitrary<Step> branches() {
    return text()
        .map(condition ->
            (input, id, known) ->
                List.of(
                    new SemanticFilter(id + "-a", input, condition, List.of()),
                    new SemanticFilter(id + "-b", input, condition, List.of()),
                    new Merge(id, id + "-a", id + "-b")));
  }

  private static Arbitrary<Window> window() {
    return Combinators.combine(duration(), duration(), Arbitraries.of(0, 1, 2))
        .as((size, grace, kind) ->
            switch (kind) {
              case 0 -> new Window.Tumbling(size, grace);
              case 1 -> new Window.Hopping(size, Duration.ofSeconds(1), grace);
              default -> new Window.Session(size, grace);
            });
  }

  private static List<String> existing(List<String> fields, @Nullable Set<String> known) {
    return fields.stream().filter(field -> known == null || known.contains(field)).toList();
  }

  private static String one(String field, @Nullable Set<String> known) {
    return known == null || known.contains(field) ? field : known.iterator().next();
  }

  private static Arbitrary<List<String>> fieldNames() {
    return Arbitraries.of("a", "b", "c").set().map(List::copyOf);
  }

  private static Arbitrary<List<String>> reads() {
    return fieldNames();
  }

  private static Arbitrary<List<Field>> fields(int depth) {
    return Arbitraries.maps(
            Arbitraries.of("a", "b", "c"),
            Combinators.combine(type(depth), text().injectNull(0.5), Arbitraries.of(true, false))
                .as((type, description, nullable) ->
                    new Field("x", type, description == null ? "" : description, nullable)))
        .ofMinSize(1)
        .map(OperatorArbitraries::named);
  }

  private static List<Field> named(Map<String, Field> fields) {
    List<Field> named = new ArrayList<>();
    new LinkedHashMap<>(fields)
        .forEach((name, field) ->
            named.add(new Field(name, field.type(), field.description(), field.nullable())));
    return named;
  }

  private static Arbitrary<FieldType> type(int depth) {
    Arbitrary<FieldType> leaf =
        Arbitraries.oneOf(
            text().set().ofMaxSize(3).map(values -> new FieldType.StringType(List.copyOf(values))),
            Combinators.combine(
                    Arbitraries.longs().lessOrEqual(0).injectNull(0.5),
                    Arbitraries.longs().greaterOrEqual(0).injectNull(0.5))
                .as(FieldType.IntegerType::new),
            Combinators.combine(
                    Arbitraries.doubles().lessOrEqual(0).injectNull(0.5),
                    Arbitraries.doubles().greaterOrEqual(0).injectNull(0.5))
                .as(FieldType.NumberType::new),
            Arbitraries.just(new FieldType.BooleanType()));
    if (depth == 0) {
      return leaf;
    }
    return Arbitraries.oneOf(
        leaf,
        type(depth - 1).map(FieldType.ListType::new),
        fields(depth - 1).map(FieldType.ObjectType::new));
  }
}
