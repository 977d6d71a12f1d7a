package dev.abacus.schemas.program.io;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.databind.ser.std.StdDelegatingSerializer;
import com.fasterxml.jackson.databind.util.StdConverter;
import dev.abacus.schemas.file.FileReading;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.DocumentTime;
import dev.abacus.schemas.program.Horizon;
import dev.abacus.schemas.program.Learning;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import dev.abacus.schemas.program.Settings;
import dev.abacus.schemas.program.Settings.Governance;
import dev.abacus.schemas.program.Spending;
import dev.abacus.schemas.program.TopK;
import dev.abacus.schemas.program.Validation;
import dev.abacus.schemas.redaction.Redaction;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Writes programs and their parts as JSON, in the form that {@link ProgramParser} reads. The
 * records of a program name the keys of their components; what is null or empty is left out.
 */
public final class ProgramWriter {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .addModule(
              new SimpleModule()
                  .addSerializer(new StdDelegatingSerializer(Duration.class, new Seconds())))
          .defaultPropertyInclusion(JsonInclude.Value.construct(Include.NON_EMPTY, Include.ALWAYS))
          .visibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
          .build();

  private ProgramWriter() {}

  private static final class Seconds extends StdConverter<Duration, String> {

    @Override
    public String convert(Duration duration) {
      return text(duration);
    }
  }

  /** Whole seconds, as programs have them; the parser refuses any other duration. */
  public static String text(Duration duration) {
    long seconds = duration.toSeconds();
    return duration.equals(Duration.ofSeconds(seconds)) ? seconds + "s" : duration.toString();
  }

  public static ObjectNode write(Program program) {
    ObjectNode node = JSON.createObjectNode();
    node.put("program", program.name());
    ObjectNode sources = node.putObject("sources");
    program.sources().forEach(source -> sources.set(source.name(), write(source)));
    if (!program.references().isEmpty()) {
      ObjectNode references = node.putObject("references");
      program.references().forEach(one -> references.set(one.name(), JSON.valueToTree(one)));
    }
    ArrayNode operators = node.putArray("operators");
    program.operators().forEach(operator -> operators.add(write(operator)));
    node.set("results", JSON.valueToTree(program.results()));
    node.set("objective", write(program.objective()));
    if (!program.settings().budget().equals(Settings.Budget.NONE)) {
      node.set("budget", write(program.settings().budget()));
    }
    if (!program.governance().equals(Governance.NONE)) {
      node.set("governor", write(program.governance()));
    }
    Learning learning = program.settings().learning();
    if (learning != null) {
      node.set("learning", write(learning));
    }
    node.set("validation", write(program.validation()));
    if (!program.models().isEmpty()) {
      node.set("models", JSON.valueToTree(program.models()));
    }
    if (!program.tiers().isEmpty()) {
      node.set("tiers", JSON.valueToTree(program.tiers()));
    }
    node.set("judge", judge(program.settings().models()));
    node.put("ordering", program.ordering().label());
    return node;
  }

  private static ObjectNode write(Source source) {
    ObjectNode node = JSON.valueToTree(source);
    DocumentTime time = source.time();
    if (time != null && time.required()) {
      node.put("time", time.field());
    } else if (time != null) {
      node.putObject("time").put("field", time.field()).put("otherwise", "record-time");
    }
    if (source.redaction() != null) {
      node.set("redact", write(source.redaction()));
    }
    return write(source.files(), node);
  }

  /** Adds to a source what it states of files. */
  public static ObjectNode write(FileReading files, ObjectNode source) {
    if (!files.fields().isEmpty()) {
      source.set("files", JSON.valueToTree(files.fields()));
    }
    if (files.pdf() != FileReading.DEFAULT.pdf()) {
      source.put("pdf", files.pdf().label());
    }
    return source;
  }

  /** {@code ["email", "card"]}, or {@code {"kinds": ["phone"], "regions": ["DE"]}}. */
  public static JsonNode write(Redaction redaction) {
    ObjectNode node = JSON.valueToTree(redaction);
    return node.size() == 1 ? node.path("kinds") : node;
  }

  private static ObjectNode write(Validation validation) {
    ObjectNode node = JSON.valueToTree(validation);
    return validation.fewShot() ? node.without("fewShot") : node;
  }

  private static JsonNode judge(Settings.Models models) {
    if (models.judgeReasoning() == null && models.judgeExamples() == 0) {
      return JSON.getNodeFactory().textNode(models.judge());
    }
    ObjectNode node = JSON.createObjectNode().put("model", models.judge());
    if (models.judgeReasoning() != null) {
      node.put("reasoning", models.judgeReasoning().label());
    }
    if (models.judgeExamples() > 0) {
      node.put("examples", models.judgeExamples());
    }
    return node;
  }

  /** {@code {"audit": 0.02, "target": 0.95}}, {@code {"audit": 0.02, "answers": "off"}}, or off. */
  public static JsonNode write(Learning learning) {
    if (learning.equals(Learning.OFF)) {
      return TextNode.valueOf("off");
    }
    ObjectNode node = JSON.createObjectNode();
    if (learning.answers()) {
      node.put("audit", learning.audit()).put("target", learning.target());
    } else if (learning.fromAnswers()) {
      node.put("audit", learning.audit()).put("answers", "off");
    }
    if (learning.shadow() > 0) {
      node.put("shadow", learning.shadow());
    }
    return learning.review() == 0 ? node : node.put("review", learning.review());
  }

  /** {@code {"lag": 1000, "canary": 0.05}}. */
  public static ObjectNode write(Governance governance) {
    return JSON.valueToTree(governance);
  }

  /** One operator, with its input. */
  public static ObjectNode write(LogicalOperator operator) {
    ObjectNode node = JSON.valueToTree(operator);
    if (operator instanceof SemanticMap map && map.cardinality() == Cardinality.ONE) {
      node.remove("cardinality");
    } else if (operator instanceof ReferenceJoin join && join.collected()) {
      node.set("collect", node.remove("into"));
    } else if (operator instanceof TopK topK && topK.k() == null) {
      node.set("writes", node.put("k", "auto").remove("writes"));
    }
    return node;
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
    ObjectNode node = JSON.createObjectNode();
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
    if (horizon != null) {
      node.set(
          "horizon",
          JSON.valueToTree(horizon.time() == null ? horizon.documents() : horizon.time()));
    }
    return node;
  }

  /** {@code {"samples": 150, "spending": {"usd": 40, "per": "86400s"}}}. */
  public static ObjectNode write(@Nullable SampleBudget budget, @Nullable Spending spending) {
    ObjectNode node = budget == null ? JSON.createObjectNode() : JSON.valueToTree(budget);
    if (spending != null) {
      node.set("spending", JSON.valueToTree(spending));
    }
    return node;
  }
}
