package dev.abacus.topology;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.access.RoleAccess;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerContextTest {

  private static final InetAddress LOCAL = InetAddress.getLoopbackAddress();

  @TempDir private Path folder;

  private void refused(String setting, String value) throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, LOCAL)) {
      port = free.getLocalPort();
    }
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", "localhost:1");
    settings.put(WorkerConfig.STATE_DIR, folder.toString());
    settings.put(WorkerConfig.HTTP_LISTENER, "127.0.0.1:" + port);
    settings.put("schema.registry.url", "http://localhost:1");
    settings.put(setting, value);
    WorkerConfig config = new WorkerConfig(settings);
    RoleAccess access = RoleAccess.of(Role.WORKER, config.clientProperties());
    try (Admin admin = Admin.create(config.clientProperties())) {
      assertThatThrownBy(
              () -> WorkerContext.of(config, admin, ModelCatalogue.builtIn(), access, _ -> {}))
          .isInstanceOf(ConfigException.class);
    }
    new ServerSocket(port, 1, LOCAL).close();
  }

  /** As in an application that embeds a worker, and corrects the setting. */
  @Test
  void aWorkerThatCannotStartLeavesNoPortOpen() throws Exception {
    refused("value.subject.name.strategy", "no.such.Strategy");
    Path file = Files.createFile(folder.resolve("file"));
    refused(WorkerConfig.STATE_DIR, file.toString());
  }
}
