package dev.abacus.deploy.evaluation;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The packages of all modules, and which packages each may use. This module sees all others, so the
 * whole picture stands in one place. A package that is not listed here fails the test.
 */
class ArchitectureTest {

  private static final String ROOT = "dev.abacus.";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.abacus");

  /**
   * A package per line, without {@code dev.abacus.}, and the packages that it may use; {@code x..}
   * stands for x and its subpackages.
   */
  private static final Map<String, List<String>> MAY_USE =
      rooms(
          """
          # schemas
          schemas:
          schemas.setting:
          schemas.avro: schemas.secret schemas.setting
          schemas.catalogue:
          schemas.protobuf: schemas.avro
          schemas.input:
          schemas.supervision:
          schemas.document: schemas.input
          schemas.file: schemas.document schemas.input
          schemas.secret: schemas.catalogue
          schemas.objective:
          schemas.expression: schemas.document
          schemas.redaction: schemas.document schemas.input
          schemas.program: schemas.document schemas.expression schemas.file schemas.input schemas.objective schemas.redaction
          schemas.program.io: schemas.catalogue schemas.expression schemas.file schemas.input schemas.objective schemas.program \
              schemas.redaction
          schemas.program.builder: schemas.catalogue schemas.file schemas.objective schemas.program schemas.program.io
          schemas.program.aggregate: schemas.document schemas.program
          schemas.plan: schemas.document schemas.objective schemas.program schemas.program.io
          schemas.kafka: schemas.document schemas.input schemas.objective schemas.plan schemas.program \
              schemas.program.io schemas.secret
          schemas.access: schemas.kafka schemas.program schemas.supervision
          schemas.control: schemas.catalogue schemas.document schemas.kafka schemas.objective \
              schemas.observation schemas.plan schemas.program schemas.program.io schemas.supervision schemas.value
          schemas.journey:
          schemas.replay: schemas.kafka schemas.program
          schemas.monitor: schemas.kafka schemas.supervision
          schemas.observation: schemas.catalogue schemas.document schemas.file schemas.input schemas.kafka schemas.plan schemas.program \
              schemas.redaction
          schemas.result: schemas.avro schemas.document schemas.file schemas.program
          schemas.value: schemas.avro schemas.document schemas.file schemas.program schemas.protobuf
          # topology
          topology.control: schemas..
          topology.model: schemas..
          topology.model.embedding: schemas.. topology.model topology.model.token
          topology.model.admission: schemas.. topology.model
          topology.model.media: schemas.. topology.model
          topology.model.token: schemas.. topology.model
          topology.model.openai: schemas.. topology.model topology.model.token
          topology.spending: schemas.. topology.model topology.model.token
          topology.answer: schemas.. topology.model
          topology.operator: schemas.. topology.model
          topology.operator.prompt: schemas.. topology.model topology.operator
          topology.operator.join: schemas.. topology.model topology.operator \
              topology.operator.prompt
          topology.operator.rank: schemas.. topology.model topology.operator \
              topology.operator.prompt
          topology.operator.technique: schemas.. topology.model topology.model.embedding topology.model.token \
              topology.operator topology.operator.join topology.operator.prompt topology.operator.rank
          topology.execution: schemas.. topology.model topology.operator
          topology.runtime: schemas.. topology.model
          topology.codec: schemas.. topology.runtime
          topology.scoring: schemas.. topology.model topology.operator topology.operator.join \
              topology.operator.prompt
          topology.telemetry: schemas.. topology.model topology.operator topology.runtime
          topology.stateful.time: schemas.. topology.codec topology.runtime topology.telemetry
          topology.stateful.limit: schemas.. topology.codec topology.stateful.time
          topology.stateful.aggregate: schemas.. topology.codec topology.runtime \
              topology.stateful.time
          topology.stateful.join: schemas.. topology.codec topology.runtime \
              topology.stateful.time
          topology.stateful: schemas.. topology.codec topology.runtime topology.stateful.aggregate \
              topology.stateful.join topology.stateful.limit topology.stateful.time \
              topology.telemetry
          topology.journey: schemas.. topology.codec topology.execution topology.model \
              topology.operator
          topology.live: schemas.. topology.codec topology.control topology.execution \
              topology.journey topology.model topology.operator topology.operator.join \
              topology.operator.technique topology.runtime \
              topology.scoring topology.stateful topology.stateful.time topology.telemetry
          topology.reference.index: schemas.supervision
          topology.reference: schemas.. topology.model topology.operator.join \
              topology.reference.index
          topology.reference.feed: schemas.. topology.codec topology.live topology.model \
              topology.reference topology.runtime
          topology.version: schemas.. topology.control
          topology.replay: schemas.. topology.execution topology.journey topology.live \
              topology.model topology.operator topology.operator.join topology.runtime \
              topology.scoring topology.telemetry
          topology.sample: schemas.. topology.codec topology.live topology.model \
              topology.model.token topology.operator topology.operator.technique topology.replay topology.runtime \
              topology.scoring topology.telemetry
          topology: schemas.. topology.answer topology.control topology.execution topology.journey topology.live topology.model \
              topology.model.admission \
              topology.model.embedding topology.model.media topology.model.openai \
              topology.model.token \
              topology.operator.. topology.reference topology.reference.feed \
              topology.reference.index topology.replay topology.runtime topology.sample topology.scoring \
              topology.spending topology.telemetry topology.version
          topology.embedded: schemas.. topology
          # optimizer
          optimizer.search.pareto: schemas..
          optimizer.search.cost: optimizer.search.pareto schemas..
          optimizer.estimate: optimizer.search.cost optimizer.search.pareto schemas..
          optimizer.sequential: schemas..
          optimizer.governor: optimizer.loop optimizer.search.cost optimizer.sequential schemas..
          optimizer.learned: schemas..
          optimizer.learning: optimizer.learned optimizer.sequential schemas..
          optimizer.sampling: optimizer.estimate optimizer.search.cost optimizer.search.pareto schemas..
          optimizer.sampling.bandit: optimizer.estimate optimizer.sampling optimizer.search.cost \
              optimizer.search.pareto schemas..
          optimizer.sampling.random: optimizer.sampling schemas..
          optimizer.sampling.prior: optimizer.search.cost schemas..
          optimizer.search.rule: schemas..
          optimizer.search.rule.transformation: optimizer.search.rule schemas..
          optimizer.search.memo: optimizer.search.cost optimizer.search.pareto \
              optimizer.search.rule.transformation schemas..
          optimizer.search.cascades: optimizer.search.cost optimizer.search.memo \
              optimizer.search.pareto optimizer.search.rule.transformation schemas..
          optimizer.loop.event: optimizer.sampling optimizer.sampling.prior schemas..
          optimizer.loop.budget: optimizer.loop.event optimizer.sampling schemas..
          optimizer.loop.prompt: optimizer.loop.event optimizer.sampling schemas..
          optimizer.loop.state: optimizer.estimate optimizer.learned optimizer.loop.budget optimizer.loop.event \
              optimizer.loop.prompt optimizer.sampling optimizer.sampling.prior optimizer.search.cascades optimizer.search.cost schemas..
          optimizer.loop.input: optimizer.estimate optimizer.loop.state optimizer.sampling schemas..
          optimizer.loop.wholeplan: optimizer.estimate optimizer.loop.event optimizer.loop.input optimizer.loop.state \
              optimizer.sampling optimizer.search.cascades optimizer.search.cost schemas..
          optimizer.loop.decide: optimizer.estimate optimizer.learned optimizer.loop.budget optimizer.loop.event \
              optimizer.loop.input optimizer.loop.prompt optimizer.loop.state \
              optimizer.loop.wholeplan optimizer.sampling optimizer.search.cascades \
              optimizer.search.cost schemas..
          optimizer.loop.review: optimizer.loop.event optimizer.loop.state optimizer.sampling schemas..
          optimizer.loop: optimizer.estimate optimizer.loop.budget optimizer.loop.decide optimizer.loop.event \
              optimizer.loop.review optimizer.loop.state \
              optimizer.sampling optimizer.sampling.bandit optimizer.sampling.prior \
              optimizer.search.cascades optimizer.search.cost schemas..
          optimizer.kafka: optimizer.governor optimizer.learning optimizer.loop optimizer.loop.event optimizer.loop.review \
              optimizer.sampling \
              optimizer.sampling.prior schemas..
          optimizer.sampling.surrogate: optimizer.estimate optimizer.sampling optimizer.search.cost \
              schemas..
          optimizer.search.rule.implementation: optimizer.search.rule schemas..
          optimizer.page.records: optimizer.search.cost schemas..
          optimizer.page.chart: schemas..
          optimizer.page.view: optimizer.page.chart optimizer.page.records schemas..
          optimizer.page.template: optimizer.page.chart optimizer.page.records optimizer.page.view \
              schemas..
          optimizer.page.http: optimizer.page.records optimizer.page.view schemas..
          optimizer.page: optimizer.page.http optimizer.page.records schemas..
          optimizer.api: optimizer.. schemas..
          optimizer:
          # simulator
          deploy.simulator.skill:
          deploy.simulator.truth: deploy.simulator.skill
          deploy.simulator.fault: deploy.simulator.skill
          deploy.simulator.prompt: deploy.simulator.truth
          deploy.simulator.answering: deploy.simulator.prompt deploy.simulator.skill \
              deploy.simulator.truth
          deploy.simulator.tokens: deploy.simulator.skill
          deploy.simulator.wire: deploy.simulator.answering deploy.simulator.skill \
              deploy.simulator.tokens deploy.simulator.truth
          deploy.simulator.limit:
          deploy.simulator.provider: deploy.simulator.skill deploy.simulator.wire
          deploy.simulator: deploy.simulator.answering deploy.simulator.fault \
              deploy.simulator.limit deploy.simulator.prompt deploy.simulator.provider \
              deploy.simulator.skill deploy.simulator.tokens deploy.simulator.truth \
              deploy.simulator.wire
          # cli
          deploy.cluster: optimizer.api schemas..
          deploy.file: schemas..
          deploy.job: deploy.cluster deploy.file schemas..
          deploy.local: deploy.cluster deploy.simulator optimizer.api schemas.. topology
          deploy.price: optimizer.api schemas.. topology.model topology.model.token \
              topology.operator.join topology.operator.prompt topology.operator.rank
          deploy.score: schemas.. topology.model topology.operator topology.scoring
          deploy.replay: deploy.cluster deploy.job optimizer.api schemas..
          deploy.cli.option: deploy.cluster deploy.file deploy.job deploy.local \
              deploy.simulator deploy.simulator.truth deploy.simulator.fault optimizer.api \
              schemas.. topology.model topology.model.openai
          deploy.cli.report: deploy.cli.option deploy.job deploy.price deploy.score \
              optimizer.api schemas..
          deploy.cli.control: deploy.cli.option deploy.cli.report deploy.cluster schemas.. \
              topology.version
          deploy.cli.plan: deploy.cli.option deploy.cli.report deploy.cluster deploy.file \
              deploy.job deploy.price optimizer.api schemas..
          deploy.cli.run: deploy.cli.option deploy.cli.report deploy.cluster deploy.file \
              deploy.job deploy.local deploy.score deploy.simulator deploy.simulator.truth \
              deploy.simulator.fault deploy.simulator.limit deploy.simulator.provider \
              optimizer.api schemas.. topology topology.scoring
          deploy.cli.replay: deploy.cli.option deploy.cli.report deploy.cluster deploy.file \
              deploy.job deploy.replay schemas..
          deploy.cli: deploy.cli.control deploy.cli.option deploy.cli.plan deploy.cli.replay \
              deploy.cli.run \
              deploy.cluster deploy.file deploy.local schemas.access schemas.program.io
          # evaluation
          deploy.evaluation.dataset: deploy.cli.. deploy.file schemas..
          deploy.evaluation.load: deploy.cli.. deploy.cluster deploy.file deploy.local schemas.. \
              topology..
          deploy.evaluation.flow: deploy.cli.. deploy.cluster deploy.evaluation.load \
              deploy.local deploy.simulator deploy.simulator.fault deploy.simulator.limit \
              schemas.. topology..
          deploy.evaluation.chaos.judge:
          deploy.evaluation.chaos: deploy.cli.. deploy.cluster deploy.evaluation.chaos.judge \
              deploy.evaluation.load deploy.local deploy.simulator deploy.simulator.prompt \
              deploy.simulator.provider deploy.simulator.wire schemas..
          deploy.evaluation.learning: deploy.cluster deploy.evaluation.load deploy.file deploy.job \
              deploy.local deploy.simulator deploy.simulator.wire optimizer.api schemas..
          deploy.evaluation.price: deploy.cli.. deploy.cluster deploy.evaluation.dataset \
              deploy.evaluation.learning deploy.evaluation.load deploy.evaluation.paper deploy.file \
              deploy.job deploy.local deploy.simulator schemas.. topology..
          deploy.evaluation.sembench: deploy.cli.report deploy.evaluation.dataset \
              deploy.evaluation.load deploy.file deploy.local schemas..
          deploy.evaluation.bench: deploy.cli.. deploy.cluster deploy.evaluation.chaos \
              deploy.evaluation.dataset deploy.evaluation.flow deploy.evaluation.learning \
              deploy.evaluation.load deploy.evaluation.price deploy.evaluation.sembench deploy.file \
              deploy.simulator deploy.simulator.fault optimizer.. schemas.. topology..
          deploy.evaluation.experiment: deploy.evaluation.paper deploy.cli.. deploy.file \
              optimizer.. schemas..
          deploy.evaluation.paper: deploy.cli.. deploy.evaluation.dataset deploy.file deploy.local \
              deploy.score deploy.simulator deploy.simulator.wire optimizer.. schemas.. \
              topology..
          """);

  /**
   * Packages that may use Kafka. The others work on values, so they can be tested without a broker.
   */
  private static final List<String> KAFKA_EDGES =
      List.of(
          "schemas.setting",
          "schemas.avro",
          "schemas.protobuf",
          "schemas.control",
          "schemas.access",
          "schemas.kafka",
          "schemas.monitor",
          "schemas.replay",
          "schemas.value",
          "topology",
          "topology.embedded",
          "topology.runtime",
          "topology.spending",
          "topology.answer",
          "topology.codec",
          "topology.stateful",
          "topology.stateful.time",
          "topology.stateful.limit",
          "topology.stateful.aggregate",
          "topology.stateful.join",
          "topology.journey",
          "topology.live",
          "topology.replay",
          "topology.sample",
          "topology.control",
          "topology.version",
          "topology.reference",
          "topology.reference.feed",
          "optimizer.api",
          "optimizer.kafka",
          "optimizer.page.records",
          "deploy.cli",
          "deploy.cli.option",
          "deploy.cluster",
          "deploy.job",
          "deploy.replay",
          "deploy.local",
          "deploy.evaluation.bench",
          "deploy.evaluation.chaos",
          "deploy.evaluation.flow",
          "deploy.evaluation.load");

  @Test
  void everyPackageIsListed() {
    assertThat(packages()).isEqualTo(new TreeSet<>(MAY_USE.keySet()));
  }

  /** {@code a{.b,.c}} in the picture stands for a, a.b and a.c. */
  @Test
  void thePictureShowsEveryPackage() throws Exception {
    String page = Files.readString(Path.of("../../docs/architecture.md"));
    String picture = page.split("```", 3)[1].replace("(not distributed)", "");
    Set<String> shown = new TreeSet<>();
    Matcher name = Pattern.compile("\\b([a-z.]+)(?:\\{([a-z.,]+)})?").matcher(picture);
    while (name.find()) {
      shown.add(name.group(1));
      Stream.ofNullable(name.group(2))
          .flatMap(parts -> Arrays.stream(parts.split(",")))
          .forEach(part -> shown.add(name.group(1) + part));
    }
    Set<String> rooms =
        new TreeSet<>(Set.of("deploy", "topology", "optimizer", "service", "schemas"));
    for (String room : packages()) {
      String inModule = room.substring(room.indexOf('.') + 1);
      rooms.add(inModule);
      rooms.add(inModule.split("[.]")[0]); // It may have no class of its own.
    }
    assertThat(shown).isEqualTo(rooms);
  }

  @Test
  void packagesUseOnlyWhatTheyMay() {
    Map<String, Set<String>> forbidden = new TreeMap<>();
    for (JavaClass user : CLASSES) {
      String room = room(user);
      List<String> allowed = MAY_USE.getOrDefault(room, List.of());
      user.getDirectDependenciesFromSelf().stream()
          .map(dependency -> dependency.getTargetClass().getBaseComponentType())
          .filter(target -> target.getPackageName().startsWith(ROOT))
          .filter(target -> !room(target).equals(room))
          .filter(target -> allowed.stream().noneMatch(pattern -> matches(pattern, room(target))))
          .forEach(target ->
              forbidden
                  .computeIfAbsent(room + " -> " + room(target), _ -> new TreeSet<>())
                  .add(user.getSimpleName() + " uses " + target.getSimpleName()));
    }
    assertThat(forbidden).isEmpty();
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.abacus.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void noSimpleNameStandsTwiceInOneModule() {
    Map<String, Set<String>> places =
        CLASSES.stream()
            .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
            .collect(
                Collectors.groupingBy(
                    type -> module(type) + ": " + type.getSimpleName(),
                    TreeMap::new,
                    Collectors.mapping(JavaClass::getPackageName, Collectors.toSet())));
    places.values().removeIf(packages -> packages.size() == 1);
    assertThat(places).isEmpty();
  }

  @Test
  void kafkaIsKnownAtTheEdgesOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackages(names(KAFKA_EDGES))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.kafka..")
        .check(CLASSES);
  }

  @Test
  void kafkasInternalsAreNotUsed() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.kafka..internals..")
        .check(CLASSES);
  }

  @Test
  void modelsAreReachedFromOneRoom() {
    noClasses()
        .that()
        .resideInAPackage("dev.abacus.topology..")
        .and()
        .resideOutsideOfPackages(
            "dev.abacus.topology.model..", "dev.abacus.topology.reference.index")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.langchain4j..",
            "java.net.http..",
            "ai.djl..",
            "ai.onnxruntime..",
            "com.knuddels..")
        .check(CLASSES);
  }

  private static String[] names(List<String> rooms) {
    return rooms.stream().map(room -> ROOT + room).toArray(String[]::new);
  }

  private static Set<String> packages() {
    return CLASSES.stream()
        .map(ArchitectureTest::room)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String room(JavaClass type) {
    return type.getPackageName().substring(ROOT.length());
  }

  /** Two modules below {@code deploy} count as one: their names are read side by side. */
  private static String module(JavaClass type) {
    String room = room(type);
    return Stream.of("deploy.evaluation", "deploy.simulator", "deploy", "optimizer", "topology")
        .filter(prefix -> room.equals(prefix) || room.startsWith(prefix + "."))
        .findFirst()
        .orElse("schemas");
  }

  private static boolean matches(String pattern, String room) {
    if (!pattern.endsWith("..")) {
      return pattern.equals(room);
    }
    String prefix = pattern.substring(0, pattern.length() - 2);
    return room.equals(prefix) || room.startsWith(prefix + ".");
  }

  private static Map<String, List<String>> rooms(String table) {
    Map<String, List<String>> rooms = new LinkedHashMap<>();
    table
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .map(line -> line.split(":"))
        .forEach(room ->
            rooms.put(
                room[0],
                room.length == 1 ? List.of() : Arrays.asList(room[1].strip().split(" +"))));
    return rooms;
  }
}
