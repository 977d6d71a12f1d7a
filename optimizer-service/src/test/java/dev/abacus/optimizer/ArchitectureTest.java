package dev.abacus.optimizer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import dev.abacus.optimizer.memo.Memo;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rooms of the optimizer and who may enter. */
class ArchitectureTest {

  private static final String ROOT = "dev.abacus.optimizer";

  /** For each room the rooms that it may use; a room that is not listed may use all. */
  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("pareto", Set.of()),
          Map.entry("memo", Set.of("pareto")),
          Map.entry("rule", Set.of("memo")),
          Map.entry("cost", Set.of("pareto")),
          Map.entry("cascades", Set.of("rule", "memo", "cost", "pareto")),
          Map.entry("sampler", Set.of("cost", "pareto")),
          Map.entry("learn", Set.of()),
          Map.entry("prior", Set.of("cost")),
          Map.entry("loop", Set.of("cascades", "rule", "sampler", "cost", "learn", "prior")),
          Map.entry("governor", Set.of("cost", "pareto")),
          Map.entry("exchange", Set.of("loop", "governor", "prior")));

  /** The compiled main classes alone: tests may use whatever they need. */
  private final JavaClasses classes =
      new ClassFileImporter()
          .importUrl(
              Objects.requireNonNull(Memo.class.getProtectionDomain().getCodeSource())
                  .getLocation());

  @Test
  void roomsUseOnlyTheRoomsThatTheyMay() {
    ArchRuleDefinition.classes().should(useOnlyTheirNeighbours()).check(classes);
  }

  @Test
  void roomsHaveNoCycles() {
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(classes);
  }

  @Test
  void kafkaIsKnownInTheExchangeAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + ".exchange..", ROOT)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.kafka..")
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void noPackageIsALumberRoom() {
    noClasses()
        .should()
        .resideInAnyPackage("..util..", "..helper..", "..manager..", "..common..")
        .check(classes);
  }

  private static ArchCondition<JavaClass> useOnlyTheirNeighbours() {
    return new ArchCondition<>("use only the rooms that theirs may use") {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        String room = room(item);
        Set<String> allowed = MAY_USE.get(room);
        if (allowed == null) {
          return;
        }
        item.getDirectDependenciesFromSelf().stream()
            .filter(dependency -> inOtherRoom(dependency.getTargetClass(), room, allowed))
            .forEach(dependency ->
                events.add(SimpleConditionEvent.violated(item, dependency.getDescription())));
      }
    };
  }

  private static boolean inOtherRoom(JavaClass target, String room, Set<String> allowed) {
    return target.getPackageName().startsWith(ROOT)
        && !room(target).equals(room)
        && !allowed.contains(room(target));
  }

  /** The first package below the root; empty for the root itself. */
  private static String room(JavaClass item) {
    String below = item.getPackageName().substring(ROOT.length());
    return below.isEmpty() ? "" : below.substring(1).replaceFirst("\\..*", "");
  }
}
