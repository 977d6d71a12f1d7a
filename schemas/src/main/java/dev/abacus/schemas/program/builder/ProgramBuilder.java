package dev.abacus.schemas.program.builder;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.file.FileReading;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.Horizon;
import dev.abacus.schemas.program.Learning;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.Reasoning;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.Settings;
import dev.abacus.schemas.program.Settings.Governance;
import dev.abacus.schemas.program.Settings.Ordering;
import dev.abacus.schemas.program.Spending;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.schemas.program.io.ProgramWriter;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Program} in Java. Operators stand in the order in which they are added. What is
 * not set has the default of a YAML program.
 *
 * <p>A builder is for one thread. {@link #build} may be called more than once.
 */
public final class ProgramBuilder {

  private final ObjectNode root = JsonNodeFactory.instance.objectNode();
  private @Nullable Horizon horizon;
  private @Nullable SampleBudget search;
  private @Nullable Spending spending;

  private ProgramBuilder(String name) {
    root.put("program", name);
  }

  /** Starts a program of this name: lower-case letters, digits and hyphens. */
  public static ProgramBuilder program(String name) {
    return new ProgramBuilder(name);
  }

  /** Adds a source of JSON documents whose id is in the field {@code id}. */
  public ProgramBuilder source(String name, String topic) {
    return source(name, topic, Format.JSON, "id");
  }

  /**
   * Adds a source.
   *
   * @param key the field with the id of a document
   */
  public ProgramBuilder source(String name, String topic, Format format, String key) {
    return source(name, topic, format, key, FileReading.DEFAULT);
  }

  /** As above, with files that are read in another way than by default. */
  public ProgramBuilder source(
      String name, String topic, Format format, String key, FileReading files) {
    ProgramWriter.write(files, collection("sources", name, topic, format, key));
    return this;
  }

  /**
   * Adds a collection that top-k and joins search.
   *
   * @param key the field with the id of an item
   * @param embed the fields to embed; none means all text fields
   */
  public ProgramBuilder reference(
      String name, String topic, Format format, String key, String... embed) {
    ObjectNode reference = collection("references", name, topic, format, key);
    if (embed.length > 0) {
      reference.set("embed", OperatorBuilder.texts(embed));
    }
    return this;
  }

  private ObjectNode collection(String kind, String name, String topic, Format format, String key) {
    ObjectNode all = root.withObjectProperty(kind);
    if (all.has(name)) {
      throw new IllegalArgumentException("two of the " + kind + " have the name '" + name + "'");
    }
    return all.putObject(name).put("topic", topic).put("format", format.label()).put("key", key);
  }

  /** Adds a map. */
  public ProgramBuilder map(String id, UnaryOperator<OperatorBuilder.Map> map) {
    return add(map.apply(new OperatorBuilder.Map(id)));
  }

  /** Adds a filter. */
  public ProgramBuilder filter(String id, UnaryOperator<OperatorBuilder.Filter> filter) {
    return add(filter.apply(new OperatorBuilder.Filter(id)));
  }

  /** Adds a search for the most similar items of a reference. */
  public ProgramBuilder topK(String id, UnaryOperator<OperatorBuilder.TopK> topK) {
    return add(topK.apply(new OperatorBuilder.TopK(id)));
  }

  /** Adds an operator that orders the items of a list. */
  public ProgramBuilder rank(String id, UnaryOperator<OperatorBuilder.Rank> rank) {
    return add(rank.apply(new OperatorBuilder.Rank(id)));
  }

  /** Adds a search for the item of a reference that is the same entity. */
  public ProgramBuilder resolve(String id, UnaryOperator<ResolutionBuilder> resolution) {
    return add(resolution.apply(new ResolutionBuilder(id)));
  }

  /** Adds a join. */
  public ProgramBuilder join(String id, UnaryOperator<OperatorBuilder.Join> join) {
    return add(join.apply(new OperatorBuilder.Join(id)));
  }

  /** Adds an aggregate. */
  public ProgramBuilder aggregate(String id, UnaryOperator<OperatorBuilder.Aggregate> aggregate) {
    return add(aggregate.apply(new OperatorBuilder.Aggregate(id)));
  }

  /** Passes the first documents only. */
  public ProgramBuilder limit(long count) {
    return limit(count, UnaryOperator.identity());
  }

  /** Passes the first documents only, with settings. */
  public ProgramBuilder limit(long count, UnaryOperator<OperatorBuilder.Limit> limit) {
    return add(limit.apply(new OperatorBuilder.Limit(count)));
  }

  /** Keeps only these fields. */
  public ProgramBuilder project(String... fields) {
    return add(new OperatorBuilder.Project(fields));
  }

  /** Keeps only these fields, with settings. */
  public ProgramBuilder project(
      List<String> fields, UnaryOperator<OperatorBuilder.Project> project) {
    return add(project.apply(new OperatorBuilder.Project(fields.toArray(String[]::new))));
  }

  private ProgramBuilder add(OperatorBuilder<?> operator) {
    root.withArrayProperty("operators").add(operator.node);
    return this;
  }

  /** Sets the topic of the results, which are JSON. */
  public ProgramBuilder results(String topic) {
    return results(topic, Format.JSON);
  }

  /** Sets the topic of the results. */
  public ProgramBuilder results(String topic, Format format) {
    root.putObject("results").put("topic", topic).put("format", format.label());
    return this;
  }

  /** Sets the objective in its text form, such as {@code maximize quality subject to cost <= 2}. */
  public ProgramBuilder objective(String objective) {
    root.put("objective", objective);
    return this;
  }

  /** Sets the objective. */
  public ProgramBuilder objective(Objective objective) {
    root.set("objective", ProgramWriter.write(objective));
    return this;
  }

  /** Sets the budget of the search for a plan. */
  public ProgramBuilder budget(SampleBudget budget) {
    search = budget;
    return this;
  }

  /** Sets for which documents the search has to pay. */
  public ProgramBuilder horizon(Horizon documents) {
    horizon = documents;
    return this;
  }

  /** Caps what live documents may cost. */
  public ProgramBuilder spending(Spending cap) {
    spending = cap;
    return this;
  }

  /** Sets the limits that the governor enforces. */
  public ProgramBuilder governor(Governance governance) {
    root.set("governor", ProgramWriter.write(governance));
    return this;
  }

  /** Lets the program learn from its live documents. */
  public ProgramBuilder learning(Learning learning) {
    root.set("learning", ProgramWriter.write(learning));
    return this;
  }

  /** Sets the topic of the validation examples. */
  public ProgramBuilder validation(String topic) {
    root.withObjectProperty("validation").put("topic", topic);
    return this;
  }

  /** Sets the topic of corrected results, which become validation examples; none by default. */
  public ProgramBuilder feedback(String topic) {
    root.withObjectProperty("validation").put("feedback", topic);
    return this;
  }

  /** Sets whether prompts and plans may contain labelled examples; true by default. */
  public ProgramBuilder fewShot(boolean allowed) {
    root.withObjectProperty("validation").put("fewShot", allowed);
    return this;
  }

  /**
   * Sets how outputs are scored against labels.
   *
   * @param target an operator, or {@code operator.field}
   */
  public ProgramBuilder metric(String target, QualityMetric metric) {
    root.withObjectProperty("validation").withObjectProperty("metrics").put(target, metric.label());
    return this;
  }

  /** Restricts the program to these models of the catalogue. */
  public ProgramBuilder models(String... names) {
    root.set("models", OperatorBuilder.texts(names));
    return this;
  }

  /** Allows these service tiers for models that are named without one. */
  public ProgramBuilder tiers(String... names) {
    root.set("tiers", OperatorBuilder.texts(names));
    return this;
  }

  /** Sets the model that scores outputs without a label. */
  public ProgramBuilder judge(String model) {
    root.put("judge", model);
    return this;
  }

  /** Sets the model that scores outputs without a label, and how it reasons. */
  public ProgramBuilder judge(String model, Reasoning reasoning) {
    root.putObject("judge").put("model", model).put("reasoning", reasoning.label());
    return this;
  }

  /**
   * Sets the model that scores outputs without a label.
   *
   * @param reasoning how it reasons; null as its card says
   * @param examples number of graded examples that it sees, at least 1
   */
  public ProgramBuilder judge(String model, @Nullable Reasoning reasoning, int examples) {
    ObjectNode judge = root.putObject("judge").put("model", model);
    if (reasoning != null) {
      judge.put("reasoning", reasoning.label());
    }
    judge.put("examples", examples);
    return this;
  }

  /** Sets the order of the results. */
  public ProgramBuilder ordering(Ordering ordering) {
    root.put("ordering", ordering.label());
    return this;
  }

  /**
   * The program, with the models of the built-in catalogue.
   *
   * @throws IllegalArgumentException with every mistake found
   */
  public Program build() {
    return build(ModelCatalogue.builtIn());
  }

  /**
   * The program.
   *
   * @param catalogue the models that it may name
   * @throws IllegalArgumentException with every mistake found
   */
  public Program build(ModelCatalogue catalogue) {
    ObjectNode program = root.deepCopy();
    Settings.Budget budget = new Settings.Budget(search, spending, horizon);
    if (!budget.equals(Settings.Budget.NONE)) {
      program.set("budget", ProgramWriter.write(budget));
    }
    try {
      return new ProgramParser(catalogue).parse(program.toString());
    } catch (InvalidTextException e) {
      throw new IllegalArgumentException(
          e.problems().stream()
              .map(problem ->
                  problem.path().isEmpty()
                      ? problem.message()
                      : problem.path() + ": " + problem.message())
              .collect(Collectors.joining("\n")),
          e);
    }
  }
}
