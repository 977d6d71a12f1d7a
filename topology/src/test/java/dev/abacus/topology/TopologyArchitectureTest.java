package dev.abacus.topology;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The rooms of the data plane, and who may enter which. */
class TopologyArchitectureTest {

  private static final String ROOT = "dev.abacus.topology";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(ROOT);

  /** The rooms that a room may use, besides itself; rooms not named here may use any. */
  private static final Map<String, Set<String>> MAY_USE =
      Map.of(
          "model", Set.of(),
          "operator", Set.of("model"),
          "execution", Set.of("operator", "model"),
          "scoring", Set.of("operator", "model"),
          "runtime", Set.of(),
          "passage", Set.of("runtime"),
          "breaker", Set.of("passage", "runtime", "telemetry"),
          "document",
              Set.of(
                  "control",
                  "execution",
                  "scoring",
                  "operator",
                  "model",
                  "runtime",
                  "telemetry",
                  "passage",
                  "breaker"),
          "sample",
              Set.of(
                  "document", "scoring", "operator", "model", "runtime", "telemetry", "passage"));

  private static final List<String> ROOMS =
      List.of(
          "model",
          "operator",
          "execution",
          "scoring",
          "runtime",
          "document",
          "sample",
          "control",
          "reference",
          "passage",
          "breaker",
          "telemetry");

  @Test
  void everyRoomUsesOnlyTheRoomsItMay() {
    MAY_USE.forEach((room, allowed) -> {
      Set<String> forbidden = new TreeSet<>(ROOMS);
      forbidden.removeAll(allowed);
      forbidden.remove(room);
      noClasses()
          .that()
          .resideInAPackage(inside(room))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              forbidden.stream().map(TopologyArchitectureTest::inside).toArray(String[]::new))
          .allowEmptyShould(true)
          .check(CLASSES);
    });
  }

  @Test
  void modelsAreReachedFromOneRoom() {
    noClasses()
        .that()
        .resideOutsideOfPackages(inside("model"), inside("reference.index"))
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

  @Test
  void kafkaIsKnownAtTheEdgesOnly() {
    String[] edges =
        packages("runtime", "document", "sample", "control", "reference", "passage", "breaker");
    noClasses()
        .that()
        .resideOutsideOfPackages(edges)
        .and()
        .resideOutsideOfPackage(ROOT)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.kafka..")
        .check(CLASSES);
  }

  @Test
  void thereAreNoCycles() {
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void thereIsNoPlaceForOddsAndEnds() {
    noClasses()
        .should()
        .resideInAnyPackage(
            "..util..", "..utils..", "..helper..", "..helpers..", "..manager..", "..common..")
        .check(CLASSES);
  }

  private static String[] packages(String... rooms) {
    return Arrays.stream(rooms).map(TopologyArchitectureTest::inside).toArray(String[]::new);
  }

  private static String inside(String room) {
    return ROOT + "." + room + "..";
  }
}
