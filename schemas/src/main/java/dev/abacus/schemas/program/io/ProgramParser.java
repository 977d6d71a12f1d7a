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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads and checks programs in YAML or JSON. It reports every mistake with its line, its path and
 * the nearest valid name.
 */
public final class ProgramParser {

  /** Kafka's rule for names of topics. */
  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  /** Checks of stages recurse from operator to operator. */
  private static final int MOST_OPERATORS = 1_000;

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
    return root.finish(read(root));
  }

  private @Nullable Program read(YamlNode root) {
    String name = root.text("program");
    checkName(root, name);
    List<Source> sources =
        List.copyOf(YamlNode.entries(root.required("sources"), ProgramParser::source).values());
    List<Reference> references =
        List.copyOf(
            YamlNode.entries(root.optional("references"), ProgramParser::reference).values());
    checkNames(root, sources, references);
    List<LogicalOperator> operators = operators(root.required("operators"), sources, references);
    Results results = root.required("results", ProgramParser::results);
    Objective objective =
        root.optional("objective", SettingsReader::objective, Objective.MAXIMIZE_QUALITY);
    Settings.Budget budget = root.optional("budget", ProgramParser::budget, Settings.Budget.NONE);
    Validation validation = validation(root.optional("validation"), name, operators);
    List<String> models = models(root.optional("models"));
    List<String> tiers = tiers(root.optional("tiers"), models);
    Settings.Models allowed = judge(root.optional("judge"), models).withTiers(tiers);
    Ordering ordering = root.choice("ordering", Ordering.KEY);
    Governance governance = root.optional("governor", SettingsReader::governance, Governance.NONE);
    Learning learning = root.optional("learning", SettingsReader::learning);
    root.endMapping();
    if (root.hasProblems() || results == null) {
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
    node.endMapping();
    return new Settings.Budget(search, spending, horizon);
  }

  private static void checkName(YamlNode root, String name) {
    YamlNode node = root.optional("program");
    String mistake = nameMistake(name);
    if (node != null && !name.isBlank() && mistake != null) {
      node.note(mistake);
    }
  }

  /** Why no program may have a name; null if one may. */
  public static @Nullable String nameMistake(String name) {
    if (!OperatorReader.NAME.matcher(name).matches()) {
      return "'%s' is not a program name; %s".formatted(name, OperatorReader.NAMES);
    }
    return name.endsWith(KafkaNames.SAMPLES)
        ? "'%s' may not end with '%s': the samples of another program would share its group"
            .formatted(name, KafkaNames.SAMPLES)
        : null;
  }

  private static boolean isTopic(String name) {
    return TOPIC.matcher(name).matches() && !name.equals(".") && !name.equals("..");
  }

  private static String topic(YamlNode node, String key) {
    String topic = node.text(key);
    if (!topic.isEmpty() && !isTopic(topic)) {
      Objects.requireNonNull(node.optional(key))
          .note(
              "'%s' is not a name of a topic: Kafka allows 1 to 249 of a-z A-Z 0-9 . _ -"
                  .formatted(topic));
    }
    return topic;
  }

  /** The topic of a source or reference, whose name is part of the names of other topics. */
  private static String topic(String name, YamlNode node) {
    if (!isTopic(name) || name.length() > OperatorReader.LONGEST_NAME) {
      node.note(
          "'%s' is part of the name of a topic; use at most %d of a-z A-Z 0-9 . _ -"
              .formatted(name, OperatorReader.LONGEST_NAME));
    }
    return topic(node, "topic");
  }

  private static Source source(String name, YamlNode node) {
    String topic = topic(name, node);
    Format format = node.choice("format", Format.JSON);
    String key = node.text("key", "id");
    DocumentTime time = time(node, format);
    Redaction redaction = node.optional("redact", ProgramParser::redaction);
    FileReading files =
        new FileReading(node.texts("files"), node.choice("pdf", FileReading.DEFAULT.pdf()));
    node.endMapping();
    return new Source(name, topic, format, key, time, redaction, files);
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
    List<PersonalData> kinds =
        node.isMapping() ? node.required("kinds", ProgramParser::kinds) : kinds(node);
    List<String> regions = node.optional("regions", ProgramParser::regions, List.of());
    boolean restore = node.bool("restore", false);
    node.refuseOtherKeys();
    return node.build(kinds, named -> new Redaction(named, regions, restore));
  }

  private static @Nullable List<PersonalData> kinds(YamlNode list) {
    return choices(list, item -> item.choice("kind of personal data", PersonalData.class));
  }

  private static @Nullable List<String> regions(YamlNode list) {
    String kind = "region of telephone numbers (two letters of ISO 3166)";
    return choices(list, item -> item.choice(kind, Redaction.knownRegions()));
  }

  /** The entries of a list; null if one is no choice, which is noted. */
  private static <T> @Nullable List<T> choices(
      YamlNode list, Function<YamlNode, @Nullable T> choice) {
    List<YamlNode> items = list.items();
    List<T> chosen = items.stream().map(choice).filter(Objects::nonNull).toList();
    return chosen.size() == items.size() ? chosen : null;
  }

  private static Reference reference(String name, YamlNode node) {
    String topic = topic(name, node);
    Format format = node.choice("format", Format.JSON);
    String key = node.text("key", "id");
    List<String> embed = node.texts("embed");
    node.endMapping();
    return new Reference(name, topic, format, key, embed);
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
    List<YamlNode> items = node.items();
    if (items.size() > MOST_OPERATORS) {
      node.note("more than %d operators".formatted(MOST_OPERATORS));
      return operators;
    }
    for (YamlNode item : items) {
      LogicalOperator read = OperatorReader.read(item, previous);
      if (read != null) {
        LogicalOperator operator = check.complete(item, read, operators);
        checkUnique(item, operator, operators, sources);
        check.check(item, operator, operators);
        operators.add(operator);
        previous = operator.id();
      }
    }
    return operators;
  }

  private static void checkUnique(
      YamlNode item, LogicalOperator operator, List<LogicalOperator> before, List<Source> sources) {
    if (sources.stream().anyMatch(source -> source.name().equals(operator.id()))) {
      item.note("a source has the name '%s' as well".formatted(operator.id()));
    }
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

  private static Results results(YamlNode node) {
    Results results = new Results(topic(node, "topic"), node.choice("format", Format.JSON));
    if (results.format() != Format.JSON && results.format() != Format.AVRO) {
      node.note("results have 'format: json' or 'format: avro'");
    }
    node.endMapping();
    return results;
  }

  private static Validation validation(
      @Nullable YamlNode node, String program, List<LogicalOperator> operators) {
    String usual = Validation.defaultTopic(program);
    if (node == null || !node.requireMapping()) {
      return new Validation(usual, Map.of());
    }
    String topic = node.optional("topic") == null ? usual : topic(node, "topic");
    String feedback = node.optional("feedback") == null ? null : topic(node, "feedback");
    boolean fewShot = node.bool("fewShot", true);
    Map<String, QualityMetric> metrics =
        YamlNode.entries(
            node.optional("metrics"), (target, entry) -> metric(target, entry, operators));
    node.refuseOtherKeys();
    return new Validation(topic, feedback, metrics, fewShot);
  }

  private static @Nullable QualityMetric metric(
      String target, YamlNode node, List<LogicalOperator> operators) {
    QualityMetric metric = node.build(() -> QualityMetric.parse(node.text()));
    List<String> valid = new ArrayList<>();
    for (LogicalOperator operator : operators) {
      valid.add(operator.id());
      operator.writtenFields().forEach(field -> valid.add(operator.id() + "." + field));
    }
    if (!valid.contains(target)) {
      node.note(NameSuggestions.unknown("operator or field", target, valid));
    }
    return metric;
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
    ModelCard card = catalogue.find(name);
    if (!name.isEmpty() && card == null) {
      node.note(NameSuggestions.unknown("model", name, catalogue.names()));
    } else if (card != null && card.kind() != ModelCard.Kind.CHAT) {
      node.note("'%s' embeds texts and answers no prompts; name chat models".formatted(name));
    }
    return name;
  }

  /** {@code judge: MODEL} or {@code judge: { model: MODEL, reasoning: HOW, examples: K }}. */
  private Settings.Models judge(@Nullable YamlNode node, List<String> models) {
    if (node == null || !node.isMapping()) {
      return new Settings.Models(models, node == null ? Program.DEFAULT_JUDGE : model(node));
    }
    String model = node.optional("model", this::model, Program.DEFAULT_JUDGE);
    YamlNode reasoningNode = node.optional("reasoning");
    Reasoning reasoning =
        reasoningNode == null ? null : reasoningNode.choice("reasoning", Reasoning.class);
    int examples = node.optional("examples", ProgramParser::judgeExamples, 0);
    node.refuseOtherKeys();
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

  private static @Nullable Integer judgeExamples(YamlNode node) {
    Long number = node.whole();
    if (number != null && (number < 1 || number > Settings.Models.MOST_EXAMPLES)) {
      node.note(
          "%d examples; write 1 to %d, or no 'examples' for none"
              .formatted(number, Settings.Models.MOST_EXAMPLES));
      return null;
    }
    return number == null ? null : number.intValue();
  }
}
