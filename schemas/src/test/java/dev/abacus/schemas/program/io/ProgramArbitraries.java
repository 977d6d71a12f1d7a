package dev.abacus.schemas.program.io;

import dev.abacus.schemas.file.FileReading;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Horizon;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.Learning;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.Reasoning;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.Settings;
import dev.abacus.schemas.program.Spending;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.Validation;
import dev.abacus.schemas.program.io.OperatorArbitraries.Step;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** Arbitrary programs that the parser accepts, and their parts. */
public final class ProgramArbitraries {

  private ProgramArbitraries() {}

  /** Text that is not blank, of characters that YAML allows unescaped; it refuses the others. */
  public static Arbitrary<String> text() {
    return Arbitraries.strings()
        .ofMaxLength(20)
        .filter(text ->
            !text.isBlank()
                && StandardCharsets.UTF_8.newEncoder().canEncode(text)
                && StreamReader.isPrintable(text));
  }

  /** Programs of one or two sources and one to five steps. */
  public static Arbitrary<Program> programs() {
    return Combinators.combine(
            name(),
            Arbitraries.of(true, false),
            OperatorArbitraries.step().list().ofMinSize(1).ofMaxSize(5),
            OperatorArbitraries.tail())
        .as(ProgramArbitraries::program)
        .flatMap(program -> settings(program).map(program::withSettings));
  }

  /** Objectives, each with at most one bound per dimension. */
  public static Arbitrary<Objective> objectives() {
    return Combinators.combine(
            Arbitraries.of(Dimension.class),
            Arbitraries.of(Dimension.class).set(),
            Arbitraries.doubles().between(0, 1).ofScale(6),
            Arbitraries.doubles().between(0, 1e6).ofScale(9))
        .as((target, bounded, share, amount) ->
            new Objective(
                target,
                bounded.stream()
                    .filter(dimension -> dimension != target)
                    .map(dimension ->
                        new Bound(dimension, dimension == Dimension.QUALITY ? share : amount))
                    .toList()));
  }

  public static Arbitrary<@Nullable SampleBudget> budgets() {
    return Arbitraries.<SampleBudget>oneOf(
            Arbitraries.integers().greaterOrEqual(1).map(SampleBudget.Invocations::new),
            Arbitraries.longs().greaterOrEqual(1).map(SampleBudget.Tokens::new),
            Arbitraries.doubles().between(0.001, 1e6).ofScale(6).map(SampleBudget.Dollars::new))
        .injectNull(0.3);
  }

  public static Arbitrary<@Nullable Spending> spendings() {
    Arbitrary<Double> usd = Arbitraries.doubles().between(0.001, 1e6).ofScale(6);
    Arbitrary<Long> tokens = Arbitraries.longs().greaterOrEqual(1);
    return Arbitraries.oneOf(
            Combinators.combine(usd, duration()).as((n, per) -> new Spending(n, null, per)),
            Combinators.combine(tokens, duration()).as((n, per) -> new Spending(null, n, per)),
            Combinators.combine(usd, tokens, duration()).as(Spending::new))
        .injectNull(0.3);
  }

  private static Arbitrary<@Nullable Horizon> horizons() {
    return Arbitraries.oneOf(
            duration().map(Horizon::new),
            Arbitraries.longs().greaterOrEqual(1).map(documents -> new Horizon(documents)))
        .injectNull(0.3);
  }

  private static Arbitrary<Settings> settings(Program program) {
    Arbitrary<Settings.Governance> governance =
        Combinators.combine(
                Arbitraries.longs().between(1, 1_000_000).injectNull(0.5),
                Arbitraries.doubles().between(0.01, 0.99).ofScale(6).injectNull(0.5),
                Arbitraries.doubles().between(0.01, 1).ofScale(6).injectNull(0.5),
                Arbitraries.of(true, false))
            .as(Settings.Governance::new);
    Arbitrary<Learning> learning =
        Combinators.combine(
                Arbitraries.doubles().between(Learning.LEAST_AUDIT, 0.99).ofScale(6),
                Arbitraries.doubles().between(0.51, 0.99).ofScale(6).injectNull(0.3))
            .as((audit, target) ->
                target == null ? Learning.ofOrders(audit) : new Learning(audit, target))
            .injectNull(0.5);
    Arbitrary<Settings.Models> models =
        Combinators.combine(
                Arbitraries.of("gpt-4o", "gpt-4o-mini", "o4-mini").set().map(List::copyOf),
                Arbitraries.of(List.<String>of(), List.of("standard"), List.of("standard", "flex")),
                Arbitraries.of("gpt-5", "o4-mini"),
                Arbitraries.of(Reasoning.class).injectNull(0.3),
                Arbitraries.integers().between(0, Settings.Models.MOST_EXAMPLES))
            .as(Settings.Models::new);
    return Combinators.combine(
            objectives(),
            Combinators.combine(budgets(), spendings(), horizons()).as(Settings.Budget::new),
            validation(program),
            models,
            Arbitraries.of(Settings.Ordering.class),
            governance,
            learning)
        .as(Settings::new);
  }

  private static Arbitrary<Validation> validation(Program program) {
    Arbitrary<QualityMetric> metric =
        Arbitraries.oneOf(
            Arbitraries.of(
                new QualityMetric.Exact(),
                new QualityMetric.SetF1(),
                new QualityMetric.Recall(),
                new QualityMetric.Ndcg(null),
                new QualityMetric.Judge()),
            Arbitraries.doubles().between(0.01, 1).ofScale(6).map(QualityMetric.SpanF1::new),
            Arbitraries.integers().between(1, 100).map(QualityMetric.RankPrecision::new),
            Arbitraries.integers().between(1, 100).map(QualityMetric.Ndcg::new),
            Arbitraries.doubles().between(0, 1e9).ofScale(6).map(QualityMetric.Numeric::new));
    List<String> targets = new ArrayList<>();
    for (LogicalOperator operator : program.operators()) {
      targets.add(operator.id());
      operator.writtenFields().forEach(field -> targets.add(operator.id() + "." + field));
    }
    return Combinators.combine(
            Arbitraries.maps(Arbitraries.of(targets), metric).ofMaxSize(3),
            Arbitraries.of(true, false))
        .as((metrics, fewShot) ->
            new Validation("examples", metrics.isEmpty() ? "corrections" : null, metrics, fewShot));
  }

  private static Program program(String name, boolean twoSources, List<Step> steps, Step last) {
    List<Program.Source> sources = new ArrayList<>();
    sources.add(new Program.Source("left", "left.topic", Program.Format.JSON, "id"));
    List<LogicalOperator> operators = new ArrayList<>();
    if (twoSources) {
      FileReading files = new FileReading(List.of("scan"), FileReading.PdfAs.TEXT_OR_PAGES);
      sources.add(
          new Program.Source(
              "right", "right.topic", Program.Format.AVRO, "key", null, null, files));
      operators.add(
          new StreamJoin(
              "pair",
              "left",
              "right",
              Duration.ofSeconds(90),
              "id",
              null,
              List.of(),
              JoinKind.LEFT,
              "other",
              null));
    }
    @Nullable Set<String> known = null;
    List<Step> all = new ArrayList<>(steps);
    all.add(last);
    for (Step step : all) {
      String input = operators.isEmpty() ? "left" : operators.getLast().id();
      for (LogicalOperator operator : step.after(input, "o" + operators.size(), known)) {
        operators.add(operator);
        known = fieldsAfter(operator, known);
      }
    }
    return new Program(
        name,
        sources,
        List.of(
            new Program.Reference(
                OperatorArbitraries.REFERENCE,
                "catalog.topic",
                Program.Format.JSON,
                "code",
                List.of("title"))),
        operators,
        new Program.Results("results", Program.Format.JSON),
        Settings.defaults(name));
  }

  private static @Nullable Set<String> fieldsAfter(
      LogicalOperator operator, @Nullable Set<String> before) {
    return switch (operator) {
      case Project project -> Set.copyOf(project.fields());
      case Aggregate aggregate -> Set.copyOf(aggregate.writtenFields());
      case LogicalOperator other -> {
        if (before == null) {
          yield null;
        }
        Set<String> after = new LinkedHashSet<>(before);
        after.addAll(other.writtenFields());
        yield after;
      }
    };
  }

  /** Whole seconds, which is the precision of a program. */
  static Arbitrary<Duration> duration() {
    return Arbitraries.longs().between(1, 1_000_000).map(Duration::ofSeconds);
  }

  private static Arbitrary<String> name() {
    return Arbitraries.strings().withCharRange('a', 'z').ofMinLength(1).ofMaxLength(8);
  }
}
