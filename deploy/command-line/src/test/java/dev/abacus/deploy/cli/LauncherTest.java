package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Temporary files and options of the launchers, with a java that prints its process id and
 * arguments.
 */
class LauncherTest {

  private static final Path PROJECT = Path.of("../..");

  /** No process has this id. */
  private static final String DEAD = "99999999";

  @TempDir private Path folder;
  private Path temporary;
  private Map<String, String> variables = Map.of();

  /** Where the launchers are, below the folder of a checkout or of an installation. */
  private static final String CLASSPATH = "deploy/command-line/target/runtime.classpath";

  enum Launcher {
    CHECKOUT("abacus"),
    INSTALLATION("bin/abacus"),
    TRAINING("bin/train");

    private final String path;

    Launcher(String path) {
      this.path = path;
    }
  }

  private record Outcome(int exit, String out, String err) {

    /** The fake java prints its process id first. */
    String pid() {
      return out.lines().findFirst().orElseThrow();
    }

    String option() {
      return out.lines()
          .filter(line -> line.startsWith("-Djava.io.tmpdir="))
          .findFirst()
          .map(line -> line.substring(line.indexOf('=') + 1))
          .orElse("");
    }
  }

  @BeforeEach
  void install() throws IOException {
    Path scripts = PROJECT.resolve("deploy/distribution/src/bin");
    copy(PROJECT.resolve("abacus"), "abacus");
    copy(PROJECT.resolve("pom.xml"), "pom.xml");
    copy(scripts.resolve("temporary-folder"), "deploy/distribution/src/bin/temporary-folder");
    copy(scripts.resolve("temporary-folder"), "bin/temporary-folder");
    copy(scripts.resolve("abacus"), "bin/abacus");
    Files.createDirectory(folder.resolve("lib"));
    write(CLASSPATH, folder.toRealPath() + "/any.jar");
    write("target/command-line.built", "");
    write("java.options", "");
    write("jdk/release", "JAVA_VERSION=\"25.0.1\"\n");
    for (String program : List.of("java", "javac")) {
      Path file = write("jdk/bin/" + program, "#!/bin/sh\necho $$\nprintf '%s\\n' \"$@\"\n");
      assertThat(file.toFile().setExecutable(true)).isTrue();
    }
    temporary = Files.createDirectory(folder.resolve("tmp"));
  }

  private void copy(Path from, String to) throws IOException {
    Path file = folder.resolve(to);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.copy(from, file);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private Path write(String path, String text) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    return Files.writeString(file, text);
  }

  private Outcome run(Launcher launcher, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(folder.resolve(launcher.path).toString()));
    command.addAll(List.of(arguments));
    Path errors = folder.resolve("errors");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
    builder.environment().put("TMPDIR", temporary.toString());
    builder.environment().putAll(variables);
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), out, Files.readString(errors));
  }

  /** The folder of this user; the launcher names it after the user's id. */
  private Path mine(Outcome outcome) {
    return Objects.requireNonNull(Path.of(outcome.option()).getParent());
  }

  @ParameterizedTest
  @EnumSource(names = {"CHECKOUT", "INSTALLATION"})
  void eachProcessHasAFolderThatOnlyItsUserMayRead(Launcher launcher) throws Exception {
    Outcome outcome = run(launcher, "validate", "a b.yaml");
    assertThat(outcome.exit()).isZero();
    assertThat(outcome.out()).contains("\nvalidate\na b.yaml\n");
    Path own = Path.of(outcome.option());
    assertThat(own).isDirectory().startsWith(temporary).hasFileName(outcome.pid());
    for (Path each : List.of(own, mine(outcome))) {
      assertThat(Files.getPosixFilePermissions(each))
          .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CHECKOUT", "INSTALLATION"})
  void theVersionNeedsNoJava(Launcher launcher) throws Exception {
    Run whole = Run.of("--version");
    write("lib/abacus-command-line-" + whole.out().strip().split(" ", -1)[1] + ".jar", "");
    for (String option : List.of("--version", "-V")) {
      assertThat(run(launcher, option).out()).isEqualTo(whole.out());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CHECKOUT", "INSTALLATION"})
  void filesOfProcessesThatHaveEndedAreRemovedAndOthersStay(Launcher launcher) throws Exception {
    Path mine = mine(run(launcher, "--help"));
    Path dead = Files.createDirectories(mine.resolve(DEAD + "/sub"));
    Files.createFile(dead.resolve("librocksdbjni.so"));
    String alive = String.valueOf(ProcessHandle.current().pid());
    Files.createDirectory(mine.resolve(alive));
    Files.createFile(mine.resolve("notes.txt"));

    Outcome outcome = run(launcher, "worker");

    assertThat(mine)
        .isDirectoryNotContaining("glob:**/" + DEAD)
        .isDirectoryContaining("glob:**/" + alive)
        .isDirectoryContaining("glob:**/notes.txt")
        .isDirectoryContaining("glob:**/" + outcome.pid());
    assertThat(outcome.err()).isEqualTo("removed temporary files of ended processes: 2\n");
    assertThat(run(launcher, "--help").err()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"CHECKOUT", "INSTALLATION"})
  void aLinkInPlaceOfTheFolderIsRefused(Launcher launcher) throws Exception {
    Path mine = mine(run(launcher, "--help"));
    Files.move(mine, temporary.resolve("elsewhere"));
    Files.createSymbolicLink(mine, temporary.resolve("elsewhere"));
    Path untouched = Files.createDirectory(temporary.resolve("elsewhere/" + DEAD));

    Outcome outcome = run(launcher, "worker");

    assertThat(outcome.exit()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).contains(mine.toString(), "set TMPDIR");
    assertThat(untouched).exists();
  }

  @ParameterizedTest
  @EnumSource(names = {"CHECKOUT", "INSTALLATION"})
  void aFileSystemThatCannotBeWrittenIsNoFailure(Launcher launcher) throws Exception {
    temporary = temporary.resolve("missing");
    Outcome outcome = run(launcher, "validate");
    assertThat(outcome.exit()).isZero();
    assertThat(outcome.option()).isEmpty();
    assertThat(outcome.out()).contains("\nvalidate\n");
  }

  @Test
  void theCacheOfClassesIsUsedUnlessAWorkerWantsTheModuleOfVectors() throws Exception {
    write("jdk/release", "JAVA_VERSION=\"25.0.1\"\nMODULES=\"java.base jdk.incubator.vector\"\n");
    assertThat(run(Launcher.INSTALLATION, "worker").out())
        .contains("--add-modules\njdk.incubator.vector\n")
        .doesNotContain("-XX:AOT");
    write("lib/abacus.aot", "");
    for (String command : List.of("worker", "optimizer", "status")) {
      assertThat(run(Launcher.INSTALLATION, command).out())
          .contains("-XX:AOTCache=" + folder.resolve("lib/abacus.aot").toRealPath())
          .doesNotContain("--add-modules");
    }
    variables = Map.of("ABACUS_VECTORS", "true");
    assertThat(run(Launcher.INSTALLATION, "worker").out())
        .contains("--add-modules\njdk.incubator.vector\n")
        .doesNotContain("-XX:AOT");
  }

  @Test
  void shortCommandsOfACheckoutStartFromArchivedClasses() throws Exception {
    String archive =
        "-XX:SharedArchiveFile=" + folder.toRealPath().resolve("target/command-line.jsa") + "\n";
    assertThat(run(Launcher.CHECKOUT, "status").out())
        .contains("-XX:+AutoCreateSharedArchive\n" + archive);
    for (String command : List.of("validate p.yaml", "status --help", "--help", "status -h")) {
      assertThat(run(Launcher.CHECKOUT, command.split(" ", -1)).out())
          .as(command)
          .contains("/command-line-offline.jsa\n");
    }
    assertThat(run(Launcher.CHECKOUT, "worker").out()).doesNotContain("Archive");
  }

  @Test
  void classesOfFoldersAreNotArchived() throws Exception {
    write("deploy/command-line/target/runtime.classpath", folder + "/topology/target/classes");
    assertThat(run(Launcher.CHECKOUT, "status").out())
        .contains("/topology/target/classes\n")
        .doesNotContain("Archive");
  }

  @Test
  void anArchiveOfEarlierJarsIsRemoved() throws Exception {
    String version = run(Launcher.CHECKOUT, "--version").out().strip().split(" ", -1)[1];
    Path jar =
        write("deploy/command-line/target/abacus-command-line-%s.jar".formatted(version), "");
    Path archive = write("target/command-line.jsa", "");
    FileTime built = Files.getLastModifiedTime(jar);

    Files.setLastModifiedTime(archive, FileTime.from(built.toInstant().plusSeconds(1)));
    run(Launcher.CHECKOUT, "status");
    assertThat(archive).exists();

    Files.setLastModifiedTime(archive, FileTime.from(built.toInstant().minusSeconds(1)));
    run(Launcher.CHECKOUT, "status");
    assertThat(archive).doesNotExist();
  }

  /** The class path of the build names jars by the folder that it was made in. */
  @Test
  void aCheckoutThatWasCopiedOrMovedIsBuiltAnew() throws Exception {
    Path maven = write("maven/mvn", "#!/bin/sh\nexit 1\n");
    assertThat(maven.toFile().setExecutable(true)).isTrue();
    variables = Map.of("PATH", maven.getParent() + ":" + System.getenv("PATH"));
    assertThat(run(Launcher.CHECKOUT, "validate").exit()).isZero();

    write(CLASSPATH, "/elsewhere/any.jar");
    assertThat(run(Launcher.CHECKOUT, "validate").err()).contains("error: the build failed");
  }

  @Test
  void trainingWritesTheCacheOfTheCommandThatItIsGiven() throws Exception {
    copy(PROJECT.resolve("deploy/distribution/src/bin/train"), "bin/train");
    Path java = folder.resolve("jdk/bin/java");
    Files.writeString(
        java,
        """
        #!/bin/sh
        for a in "$@"; do
          case $a in -XX:AOTCacheOutput=*) printf '%s\n' "$*" >"${a#*=}" ;; esac
        done
        """);
    Outcome outcome = run(Launcher.TRAINING, "worker", "-q");
    Path cache = folder.toRealPath().resolve("lib/abacus.aot");
    assertThat(outcome.out()).isEqualTo("wrote " + cache + "\n");
    assertThat(cache).content().endsWith("dev.abacus.deploy.cli.Abacus worker -q\n");
    assertThat(run(Launcher.TRAINING).out()).isEqualTo("wrote " + cache + "\n");
    assertThat(cache).content().contains("Abacus worker -q --bootstrap-server 127.0.0.1:1 ");

    Files.writeString(java, "#!/bin/sh\n");
    Outcome failed = run(Launcher.TRAINING);
    assertThat(failed.exit()).isEqualTo(1);
    assertThat(failed.err()).contains("error: " + cache + " was not written");
  }
}
