package dev.abacus.optimizer.api;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

class OptimizerServiceTest {

  @Test
  void aStartThatFailsLeavesNoPortOpen() throws Exception {
    InetAddress local = InetAddress.getLoopbackAddress();
    int monitor;
    try (ServerSocket free = new ServerSocket(0, 1, local)) {
      monitor = free.getLocalPort();
    }
    try (ServerSocket taken = new ServerSocket(0, 1, local)) {
      OptimizerConfig config =
          new OptimizerConfig(
              Map.of(
                  "bootstrap.servers",
                  "localhost:1",
                  OptimizerConfig.HTTP_LISTENER,
                  "127.0.0.1:" + monitor,
                  OptimizerConfig.PAGE_LISTENER,
                  "127.0.0.1:" + taken.getLocalPort()));
      assertThatThrownBy(() -> OptimizerService.start(config))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(String.valueOf(taken.getLocalPort()));
    }
    new ServerSocket(monitor, 1, local).close();
  }
}
