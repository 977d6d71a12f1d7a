package dev.abacus.schemas.program.io;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.file.FileReading;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.DocumentTime;
import dev.abacus.schemas.program.Horizon;
import dev.abacus.schemas.program.Learning;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Results;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.Reasoning;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.Settings;
import dev.abacus.schemas.program.Settings.Governance;
import dev.abacus.schemas.program.Settings.Ordering;
import dev.abacus.schemas.program.Spending;
import dev.abacus.schemas.program.Validation;
import dev.abacus.schemas.redaction.PersonalData;
import dev.abacus.schemas.redaction.Redaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads and checks programs in YAML or JSON. It reports every mistake with its line, its path and
 * the nearest valid name.
 */
public final class ProgramParser {

  private final ModelCatalogue catalogue;

  /** A parser that accepts the models of this catalogue. */
  public ProgramParser(ModelCatalogue catalogue) {
    this.catalogue = catalogue;
  }

  /**
   * Reads a program.
   *
   * @throws InvalidTextException with every mistake found
   */
  public Program parse(String text) throws InvalidTextException {
    YamlNode root = YamlNode.parse(text);
    Program program = root.requireMapping() ? read(root) : null;
    return root.finish(program);
  }

  private @Nullable Program read(YamlNode root) {
    String name = root.text("program");
    checkName(root, name);
    List<Source> sources = sources(root.required("sources"));
    List<Reference> references = references(root.optional("references"));
    checkNames(root, sources, references);
    List<LogicalOperator> operators = operators(root.required("operators"), sources, references);
    Results results = results(root.required("results"));
    YamlNode objectiveNode = root.optional("objective");
    Objective objective =
        objectiveNode == null
            ? Objective.MAXIMIZE_QUALITY
            : SettingsReader.objective(objectiveNode);
    Settings.Budget budget =
        Objects.requireNonNullElse(
            root.optional("budget", ProgramParser::budget), Settings.Budget.NONE);
    Validation validation = validation(root.optional("validation"), name, operators);
    List<String> models = models(root.optional("models"));
    List<String> tiers = tiers(root.optional("tiers"), models);
    Settings.Models allowed = judge(root.optional("judge"), models).withTiers(tiers);
    Ordering ordering = root.choice("ordering", Ordering.KEY);
    YamlNode governorNode = root.optional("governor");
    Governance governance =
        governorNode == null ? Governance.NONE : SettingsReader.governance(governorNode);
    Learning learning = root.optional("learning", SettingsReader::learning);
    root.refuseOtherKeys();
    if (root.hasProblems() || results == null || objective == null || governance == null) {
      return null;
    }
    Program program =
        new Program(
            name,
            sources,
            references,
            operators,
            results,
            new Settings(objective, budget, validation, allowed, ordering, governance, learning));
    ProgramCheck.check(program, root);
    return program;
  }

  private static Settings.Budget budget(YamlNode node) {
    SampleBudget search = SettingsReader.budget(node);
    Spending spending = node.optional("spending", SettingsReader::spending);
    Horizon horizon = node.optional("horizon", SettingsReader::horizon);
    if (node.isMapping()) {
      node.refuseOtherKeys();
    }
    return new Settings.Budget(search, spending, horizon);
  }

  private static void checkName(YamlNode root, String name) {
    YamlNode node = root.optional("program");
    if (node != null && !name.isBlank() && !OperatorReader.NAME.matcher(name).matches()) {
      node.note("'" + name + "' is not a program name; use lower-case letters, digits and hyphens");
    }
    if (node != null && name.endsWith(KafkaNames.SAMPLES)) {
      node.note(
          "'%s' may not end with '%s': the samples of another program would share its group"
              .formatted(name, KafkaNames.SAMPLES));
    }
  }

  private static List<Source> sources(@Nullable YamlNode node) {
    List<Source> sources = new ArrayList<>();
    if (node == null || !node.requireMapping()) {
      return sources;
    }
    for (String name : node.keys()) {
      YamlNode source = Objects.requireNonNull(node.required(name));
      if (source.requireMapping()) {
        String topic = source.text("topic");
        Format format = source.choice("format", Format.JSON);
        String key = source.text("key", "id");
        DocumentTime time = time(source, format);
        Redaction redaction = source.optional("redact", ProgramParser::redaction);
        FileReading files =
            new FileReading(source.texts("files"), source.choice("pdf", FileReading.DEFAULT.pdf()));
        source.refuseOtherKeys();
        sources.add(new Source(name, topic, format, key, time, redaction, files));
      }
    }
    return sources;
  }

  private static @Nullable DocumentTime time(YamlNode source, Format format) {
    YamlNode node = source.optional("time");
    if (node == null) {
      return null;
    }
    if (format != Format.JSON) {
      node.note("'time' needs 'format: json'; records of other formats have their own timestamps");
    }
    if (!node.isMapping()) {
      return new DocumentTime(source.text("time"), true);
    }
    String field = node.text("field");
    String end =
        node.optional(
            "otherwise",
            entry -> entry.choice("alternative", List.of("dead-letter", "record-time")));
    node.refuseOtherKeys();
    return new DocumentTime(field, !"record-time".equals(end));
  }

  /** {@code [KIND, …]} or {@code { kinds: [KIND, …], regions: [COUNTRY, …], restore: true }}. */
  private static @Nullable Redaction redaction(YamlNode node) {
    if (!node.isMapping()) {
      List<PersonalData> kinds = kinds(node);
      return kinds == null ? null : node.build(() -> new Redaction(kinds, List.of(), false));
    }
    YamlNode kindsNode = node.required("kinds");
    List<PersonalData> kinds = kindsNode == null ? null : kinds(kindsNode);
    List<String> regions =
        node.optional(
            "regions",
            list ->
                choices(
                    list,
                    "region of telephone numbers (two letters of ISO 3166)",
                    Redaction.knownRegions()));
    YamlNode restore = node.optional("restore");
    boolean restored = restore != null && restore.bool();
    node.refuseOtherKeys();
    List<String> known = regions == null ? List.of() : regions;
    return kinds == null ? null : node.build(() -> new Redaction(kinds, known, restored));
  }

  private static @Nullable List<PersonalData> kinds(YamlNode list) {
    return choices(list, item -> item.choice("kind of personal data", PersonalData.class));
  }

  /** The entries of a list; null if one is no choice, which is noted. */
  private static @Nullable List<String> choices(
      YamlNode list, String kind, Collection<String> choices) {
    List<String> chosen = new ArrayList<>();
    boolean valid = true;
    for (YamlNode item : list.items()) {
      String choice = item.choice(kind, choices);
      valid &= choice != null;
      chosen.add(Objects.requireNonNullElse(choice, ""));
    }
    return valid ? chosen : null;
  }

  private static List<Reference> references(@Nullable YamlNode node) {
    List<Reference> references = new ArrayList<>();
    if (node == null || !node.requireMapping()) {
      return references;
    }
    for (String name : node.keys()) {
      YamlNode reference = Objects.requireNonNull(node.required(name));
      if (reference.requireMapping()) {
        String topic = reference.text("topic");
        Format format = reference.choice("format", Format.JSON);
        String key = reference.text("key", "id");
        List<String> embed = reference.texts("embed");
        reference.refuseOtherKeys();
        references.add(new Reference(name, topic, format, key, embed));
      }
    }
    return references;
  }

  /** Sources and references share one namespace. */
  private static void checkNames(YamlNode root, List<Source> sources, List<Reference> references) {
    for (Reference reference : references) {
      if (sources.stream().anyMatch(source -> source.name().equals(reference.name()))) {
        Objects.requireNonNull(root.optional("references"))
            .note("a source has the name '%s' as well".formatted(reference.name()));
      }
    }
  }

  private static List<LogicalOperator> operators(
      @Nullable YamlNode node, List<Source> sources, List<Reference> references) {
    List<LogicalOperator> operators = new ArrayList<>();
    if (node == null) {
      return operators;
    }
    OperatorCheck check = new OperatorCheck(sources, references);
    String previous = sources.size() == 1 ? sources.getFirst().name() : null;
    for (YamlNode item : node.items()) {
      LogicalOperator read = OperatorReader.read(item, previous);
      if (read != null) {
        LogicalOperator operator = check.complete(item, read, operators);
        checkUnique(item, operator, operators);
        check.check(item, operator, operators);
        operators.add(operator);
        previous = operator.id();
      }
    }
    return operators;
  }

  private static void checkUnique(
      YamlNode item, LogicalOperator operator, List<LogicalOperator> before) {
    if (before.stream().anyMatch(other -> other.id().equals(operator.id()))) {
      item.note(
          "a second operator has the id '%s'%s"
              .formatted(
                  operator.id(),
                  operator instanceof Project || operator instanceof Limit
                      ? "; give this one an 'id'"
                      : ""));
    }
  }

  private static @Nullable Results results(@Nullable YamlNode node) {
    if (node == null || !node.requireMapping()) {
      return null;
    }
    Results results = new Results(node.text("topic"), node.choice("format", Format.JSON));
    if (results.format() != Format.JSON && results.format() != Format.AVRO) {
      node.note("results have 'format: json' or 'format: avro'");
    }
    node.refuseOtherKeys();
    return results;
  }

  private static Validation validation(
      @Nullable YamlNode node, String program, List<LogicalOperator> operators) {
    String topic = Validation.defaultTopic(program);
    String feedback = null;
    boolean fewShot = true;
    Map<String, QualityMetric> metrics = new LinkedHashMap<>();
    if (node != null && node.requireMapping()) {
      topic = node.text("topic", topic);
      feedback = node.optional("feedback") == null ? null : node.text("feedback");
      YamlNode fewShotNode = node.optional("fewShot");
      fewShot = fewShotNode == null || fewShotNode.bool();
      YamlNode metricsNode = node.optional("metrics");
      if (metricsNode != null && metricsNode.requireMapping()) {
        for (String target : metricsNode.keys()) {
          YamlNode metricNode = Objects.requireNonNull(metricsNode.required(target));
          QualityMetric metric = metricNode.build(() -> QualityMetric.parse(metricNode.text()));
          checkTarget(metricNode, target, operators);
          if (metric != null) {
            metrics.put(target, metric);
          }
        }
      }
      node.refuseOtherKeys();
    }
    return new Validation(topic, feedback, metrics, fewShot);
  }

  private static void checkTarget(YamlNode node, String target, List<LogicalOperator> operators) {
    List<String> valid = new ArrayList<>();
    for (LogicalOperator operator : operators) {
      valid.add(operator.id());
      operator.writtenFields().forEach(field -> valid.add(operator.id() + "." + field));
    }
    if (!valid.contains(target)) {
      node.note(NameSuggestions.unknown("operator or field", target, valid));
    }
  }

  private List<String> models(@Nullable YamlNode node) {
    return node == null ? List.of() : node.items().stream().map(this::model).distinct().toList();
  }

  private List<String> tiers(@Nullable YamlNode node, List<String> models) {
    if (node == null) {
      return List.of();
    }
    List<String> tiers =
        node.items().stream()
            .map(item -> item.choice("tier", ServiceTier.all()))
            .filter(Objects::nonNull)
            .distinct()
            .toList();
    if (catalogue.chatModels(models, tiers).isEmpty()) {
      node.note("no model of the program has one of these tiers");
    }
    return tiers;
  }

  private String model(YamlNode node) {
    String name = node.text();
    if (!name.isEmpty() && catalogue.find(name) == null) {
      node.note(NameSuggestions.unknown("model", name, catalogue.names()));
    }
    return name;
  }

  /** {@code judge: MODEL} or {@code judge: { model: MODEL, reasoning: HOW, examples: K }}. */
  private Settings.Models judge(@Nullable YamlNode node, List<String> models) {
    if (node == null || !node.isMapping()) {
      return new Settings.Models(models, node == null ? Program.DEFAULT_JUDGE : model(node));
    }
    YamlNode modelNode = node.optional("model");
    String model = modelNode == null ? Program.DEFAULT_JUDGE : model(modelNode);
    YamlNode reasoningNode = node.optional("reasoning");
    String how =
        reasoningNode == null
            ? null
            : reasoningNode.choice(
                "reasoning", Stream.of(Reasoning.values()).map(Reasoning::text).toList());
    int examples = judgeExamples(node.optional("examples"));
    node.refuseOtherKeys();
    Reasoning reasoning = how == null ? null : Reasoning.read(how);
    ModelCard card = catalogue.find(model);
    if (reasoningNode != null
        && reasoning != null
        && reasoning != Reasoning.STEPS
        && card != null
        && !Boolean.TRUE.equals(card.supports().reasoningEffort())) {
      reasoningNode.note(
          "'%s' takes no reasoning effort (supports.reasoningEffort of its card); write steps"
              .formatted(model));
    }
    return new Settings.Models(models, List.of(), model, reasoning, examples);
  }

  private static int judgeExamples(@Nullable YamlNode node) {
    Long number = node == null ? null : node.whole();
    if (node == null || number == null) {
      return 0;
    }
    if (number < 1 || number > Settings.Models.MOST_EXAMPLES) {
      node.note(
          "%d examples; write 1 to %d, or no 'examples' for none"
              .formatted(number, Settings.Models.MOST_EXAMPLES));
      return 0;
    }
    return number.intValue();
  }
}
