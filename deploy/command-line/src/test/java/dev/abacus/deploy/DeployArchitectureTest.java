package dev.abacus.deploy;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Who may depend on whom here. */
class DeployArchitectureTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.abacus.deploy");

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.abacus.deploy.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void nothingDependsOnTheCommandLineButTheCommandLine() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.abacus.deploy.command..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.abacus.deploy.command..")
        .check(CLASSES);
  }

  @Test
  void jobsAndOperationsRunAgainstAnyCluster() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.abacus.deploy.job..", "dev.abacus.deploy.operate..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.abacus.deploy.local..", "dev.abacus.topology..")
        .check(CLASSES);
  }
}
