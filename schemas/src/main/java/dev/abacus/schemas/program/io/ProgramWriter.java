package dev.abacus.schemas.program.io;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.DocumentTime;
import dev.abacus.schemas.program.Horizon;
import dev.abacus.schemas.program.Learning;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.Settings;
import dev.abacus.schemas.program.Settings.Governance;
import dev.abacus.schemas.program.Spending;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes programs and their parts as JSON, in the form that {@link ProgramParser} reads. */
public final class ProgramWriter {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private ProgramWriter() {}

  public static ObjectNode write(Program program) {
    ObjectNode node = JSON.objectNode();
    node.put("program", program.name());
    ObjectNode sources = node.putObject("sources");
    for (Source source : program.sources()) {
      ObjectNode written =
          sources
              .putObject(source.name())
              .put("topic", source.topic())
              .put("format", source.format().label())
              .put("key", source.key());
      DocumentTime time = source.time();
      if (time != null && time.required()) {
        written.put("time", time.field());
      } else if (time != null) {
        written.putObject("time").put("field", time.field()).put("otherwise", "record-time");
      }
    }
    if (!program.references().isEmpty()) {
      write(program.references(), node.putObject("references"));
    }
    ArrayNode operators = node.putArray("operators");
    program.operators().forEach(operator -> operators.add(write(operator)));
    node.putObject("results")
        .put("topic", program.results().topic())
        .put("format", program.results().format().label());
    node.set("objective", write(program.objective()));
    if (!program.settings().budget().equals(Settings.Budget.NONE)) {
      node.set("budget", write(program.settings().budget()));
    }
    if (!program.governance().equals(Governance.NONE)) {
      node.set("governor", write(program.governance()));
    }
    Learning learning = program.learning();
    if (learning != null) {
      node.set("learning", write(learning));
    }
    ObjectNode validation = node.putObject("validation").put("topic", program.validation().topic());
    if (program.validation().feedback() != null) {
      validation.put("feedback", program.validation().feedback());
    }
    if (!program.validation().fewShot()) {
      validation.put("fewShot", false);
    }
    ObjectNode metrics = validation.putObject("metrics");
    program.validation().metrics().forEach((target, metric) -> metrics.put(target, metric.label()));
    if (!program.models().isEmpty()) {
      node.set("models", OperatorWriter.texts(program.models()));
    }
    int examples = program.settings().models().judgeExamples();
    if (program.judgeReasoning() == null && examples == 0) {
      node.put("judge", program.judge());
    } else {
      ObjectNode judge = node.putObject("judge").put("model", program.judge());
      if (program.judgeReasoning() != null) {
        judge.put("reasoning", program.judgeReasoning().text());
      }
      if (examples > 0) {
        judge.put("examples", examples);
      }
    }
    node.put("ordering", program.ordering().label());
    return node;
  }

  /** {@code {"audit": 0.02, "target": 0.95}}. */
  public static ObjectNode write(Learning learning) {
    return JSON.objectNode().put("audit", learning.audit()).put("target", learning.target());
  }

  /** {@code {"lag": 1000, "canary": 0.05}}. */
  public static ObjectNode write(Governance governance) {
    ObjectNode node = JSON.objectNode();
    if (governance.lag() != null) {
      node.put("lag", governance.lag());
    }
    if (governance.canary() != null) {
      node.put("canary", governance.canary());
    }
    if (governance.judge() != null) {
      node.put("judge", governance.judge());
    }
    return node;
  }

  private static void write(List<Reference> references, ObjectNode node) {
    for (Reference reference : references) {
      ObjectNode written =
          node.putObject(reference.name())
              .put("topic", reference.topic())
              .put("format", reference.format().label())
              .put("key", reference.key());
      if (!reference.embed().isEmpty()) {
        written.set("embed", OperatorWriter.texts(reference.embed()));
      }
    }
  }

  /** One operator, with its input. */
  public static ObjectNode write(LogicalOperator operator) {
    return OperatorWriter.write(operator);
  }

  /**
   * Reads an operator that {@link #write(LogicalOperator)} wrote.
   *
   * @throws InvalidTextException if the text is not an operator
   */
  public static LogicalOperator readOperator(String json) throws InvalidTextException {
    YamlNode node = YamlNode.parse(json);
    return node.finish(OperatorReader.read(node, null));
  }

  /** {@code {"maximize": "quality", "subjectTo": {"cost": 0.002}}}. */
  public static ObjectNode write(Objective objective) {
    ObjectNode node = JSON.objectNode();
    String verb = objective.target() == Dimension.QUALITY ? "maximize" : "minimize";
    node.put(verb, objective.target().label());
    if (!objective.bounds().isEmpty()) {
      ObjectNode bounds = node.putObject("subjectTo");
      for (Bound bound : objective.bounds()) {
        bounds.put(bound.dimension().label(), bound.limit());
      }
    }
    return node;
  }

  /** {@code {"samples": 150, "horizon": "604800s"}}. */
  public static ObjectNode write(Settings.Budget budget) {
    ObjectNode node = write(budget.search(), budget.spending());
    Horizon horizon = budget.horizon();
    if (horizon != null && horizon.documents() != null) {
      node.put("horizon", horizon.documents());
    } else if (horizon != null && horizon.time() != null) {
      node.put("horizon", horizon.time().toSeconds() + "s");
    }
    return node;
  }

  /** {@code {"samples": 150, "spending": {"usd": 40, "per": "86400s"}}}. */
  public static ObjectNode write(@Nullable SampleBudget budget, @Nullable Spending spending) {
    ObjectNode node = JSON.objectNode();
    switch (budget) {
      case SampleBudget.Invocations invocations -> node.put("samples", invocations.samples());
      case SampleBudget.Dollars dollars -> node.put("usd", dollars.usd());
      case SampleBudget.Tokens tokens -> node.put("tokens", tokens.tokens());
      case null -> {
        // Only the spending cap may be set.
      }
    }
    if (spending != null) {
      ObjectNode cap = node.putObject("spending");
      if (spending.usd() != null) {
        cap.put("usd", spending.usd());
      }
      if (spending.tokens() != null) {
        cap.put("tokens", spending.tokens());
      }
      cap.put("per", spending.per().toSeconds() + "s");
    }
    return node;
  }
}
