package dev.abacus.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class KafkaConnectionTest {

  @Test
  void theTextOfAConnectionHasNoSecrets() {
    assertThat(
            new KafkaConnection(
                Map.of(
                    "bootstrap.servers", "b:9092",
                    "basic.auth.user.info", "me:secret",
                    "ssl.keystore.key", "secret")))
        .hasToString("b:9092");
  }
}
