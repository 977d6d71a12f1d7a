package dev.abacus.deploy.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the archives hold, and that the unpacked main archive runs without the optional parts. */
class ArchivesIT {

  /** Path of the main archive without {@code .tar.gz}. */
  private static final String ARCHIVES =
      Objects.requireNonNull(System.getProperty("abacus.archives"));

  private static final Pattern LINK = Pattern.compile("]\\(([^):#]+)(#[^)]*)?\\)");

  private static final long MEGABYTE = 1_000_000;

  private static final int OWNER_EXECUTES = 64;

  private static final Map<String, Set<String>> FILES = new ConcurrentHashMap<>();

  @Test
  void theMainArchiveHasNeitherBrokerNorScalaNorSimulatorNorEmbedderNorBenchmarks()
      throws IOException {
    assertThat(files(""))
        .contains("bin/abacus", "conf/worker.properties", "conf/optimizer.properties", "LICENSE")
        .anyMatch(name -> name.startsWith("lib/abacus-topology-"))
        .anyMatch(name -> name.startsWith("lib/abacus-optimizer-service-"))
        .anyMatch(name -> name.startsWith("lib/kafka-streams-"))
        .contains("README.md", "docs/how-to/own-documents.md")
        .noneMatch(name ->
            name.matches(
                "(?i).*(kafka_2|kafka-server|kafka-metadata|kafka-raft|scala|simulator|log4j|jmh"
                    + "|evaluation|onnxruntime|tokenizers|minilm|djl).*"));
  }

  /** Links to sources of the project are for a checkout. */
  @Test
  void thePagesOfTheMainArchiveFindEachOther() throws IOException {
    Set<String> files = files("");
    try (TarArchiveInputStream tar = open("")) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path page = Path.of(relative(entry));
        if (page.toString().endsWith(".md")) {
          Matcher links = LINK.matcher(new String(tar.readAllBytes(), StandardCharsets.UTF_8));
          assertThat(links.results().map(link -> page.resolveSibling(link.group(1)).normalize()))
              .as("links of %s", page)
              .filteredOn(target -> target.startsWith("docs"))
              .allMatch(
                  target -> files.stream().anyMatch(file -> Path.of(file).startsWith(target)));
        }
      }
    }
  }

  @Test
  void noLibraryIsInTwoArchives() throws IOException {
    List<String> libraries = new ArrayList<>();
    for (String part : List.of("", "-embedder", "-local")) {
      files(part).stream()
          .filter(name -> name.endsWith(".jar"))
          .map(name -> name.substring(name.lastIndexOf('/') + 1))
          .forEach(libraries::add);
    }
    assertThat(libraries).doesNotHaveDuplicates();
  }

  @Test
  void theOptionalPartsHoldWhatTheMainArchiveLeavesOut() throws IOException {
    assertThat(files("-embedder"))
        .allMatch(name -> name.startsWith("embedder/"))
        .anyMatch(name -> name.contains("onnxruntime"))
        .anyMatch(name -> name.contains("tokenizers"));
    assertThat(files("-local"))
        .allMatch(name -> name.startsWith("local/"))
        .anyMatch(name -> name.contains("kafka_2.13"))
        .anyMatch(name -> name.contains("abacus-simulator"));
  }

  @Test
  void theMainArchiveIsSmall() throws IOException {
    long bytes = Files.size(Path.of(ARCHIVES + ".tar.gz"));
    assertThat(bytes).isLessThan(150 * MEGABYTE);
  }

  @Test
  void theUnpackedArchiveRunsWithoutTheOptionalParts(@TempDir Path folder) throws Exception {
    Path home = unpack(folder);
    Path program = home.resolve("examples/support-triage/program.yaml");

    assertThat(run(home, "validate", program.toString()))
        .contains("is valid: program support-triage")
        .endsWith("exit 0");
    assertThat(run(home, "worker", "--help")).contains("Usage: abacus worker").endsWith("exit 0");
    assertThat(run(home, "simulator")).contains("abacus-VERSION-local.tar.gz").endsWith("exit 1");
    assertThat(run(home, "up")).contains("abacus-VERSION-local.tar.gz").endsWith("exit 1");
  }

  private static String run(Path home, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/abacus").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return output + "exit " + process.waitFor();
  }

  /** Names of the files of an archive, which is read once. */
  private static Set<String> files(String part) throws IOException {
    Set<String> known = FILES.get(part);
    if (known != null) {
      return known;
    }
    Set<String> files = new TreeSet<>();
    try (TarArchiveInputStream tar = open(part)) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        if (!entry.isDirectory()) {
          files.add(relative(entry));
        }
      }
    }
    FILES.put(part, files);
    return files;
  }

  private static Path unpack(Path folder) throws IOException {
    try (TarArchiveInputStream tar = open("")) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        if (!entry.isDirectory()) {
          Path file = folder.resolve(relative(entry));
          Files.createDirectories(Objects.requireNonNull(file.getParent()));
          Files.copy(tar, file);
          if ((entry.getMode() & OWNER_EXECUTES) != 0) {
            assertThat(file.toFile().setExecutable(true)).isTrue();
          }
        }
      }
    }
    return folder;
  }

  /** The name below the folder {@code abacus-VERSION}. */
  private static String relative(TarArchiveEntry entry) {
    return entry.getName().substring(entry.getName().indexOf('/') + 1);
  }

  private static TarArchiveInputStream open(String part) throws IOException {
    InputStream file = Files.newInputStream(Path.of(ARCHIVES + part + ".tar.gz"));
    return new TarArchiveInputStream(new GZIPInputStream(new BufferedInputStream(file)));
  }
}
