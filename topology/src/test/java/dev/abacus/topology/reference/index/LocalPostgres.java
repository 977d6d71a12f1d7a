package dev.abacus.topology.reference.index;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A PostgreSQL server of our own in a folder, from the programs that are installed. */
final class LocalPostgres implements AutoCloseable {

  private final Path programs;
  private final Path data;
  private final int port;

  private LocalPostgres(Path programs, Path data, int port) {
    this.programs = programs;
    this.data = data;
    this.port = port;
  }

  /** The folder with {@code initdb} and {@code pg_ctl}; empty if PostgreSQL is not installed. */
  static Optional<Path> installed() {
    List<Path> folders = new ArrayList<>();
    for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      folders.add(Path.of(folder));
    }
    Path debian = Path.of("/usr/lib/postgresql");
    if (Files.isDirectory(debian)) {
      try (Stream<Path> versions = Files.list(debian)) {
        versions
            .sorted(Comparator.reverseOrder())
            .forEach(version -> folders.add(version.resolve("bin")));
      } catch (IOException e) {
        return Optional.empty();
      }
    }
    return folders.stream()
        .filter(folder -> Files.isExecutable(folder.resolve("initdb")))
        .filter(folder -> Files.isExecutable(folder.resolve("pg_ctl")))
        .findFirst();
  }

  /** Starts a server with its data in that folder. */
  static LocalPostgres start(Path programs, Path folder) throws Exception {
    Path data = folder.resolve("data");
    Files.createDirectory(data);
    if (isRoot()) {
      // The server refuses to run as root.
      run(List.of("chown", "-R", "postgres", folder.toString()));
    }
    LocalPostgres server = new LocalPostgres(programs, data, freePort());
    server.asOwner("initdb", "-D", data.toString(), "-A", "trust", "-U", "abacus");
    server.asOwner(
        "pg_ctl",
        "-D",
        data.toString(),
        "-w",
        "-t",
        "120",
        "-l",
        data.resolve("log").toString(),
        "-o",
        "-p %d -c listen_addresses=127.0.0.1 -c unix_socket_directories=''".formatted(server.port),
        "start");
    return server;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static boolean isRoot() {
    return System.getProperty("user.name", "").equals("root");
  }

  private void asOwner(String program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(List.of("runuser", "-u", "postgres", "--"));
    }
    command.add(programs.resolve(program).toString());
    command.addAll(List.of(arguments));
    run(command);
  }

  /** Output is dropped: a server that was started would hold a pipe open. */
  private static void run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(3, TimeUnit.MINUTES) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException(String.join(" ", command) + " failed");
    }
  }

  String url() {
    return "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(port);
  }

  /** Whether the extension can be created. */
  boolean offers(String extension) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url() + "?user=abacus");
        Statement statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery(
                "select 1 from pg_available_extensions where name = '" + extension + "'")) {
      return found.next();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      asOwner("pg_ctl", "-D", data.toString(), "-m", "immediate", "-w", "stop");
      if (isRoot()) {
        run(List.of("chown", "-R", "root", data.toString()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
