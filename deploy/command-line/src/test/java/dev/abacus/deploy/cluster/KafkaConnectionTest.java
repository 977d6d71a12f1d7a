package dev.abacus.deploy.cluster;

import static dev.abacus.schemas.kafka.KafkaFutures.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
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

  @Test
  void aChangeThatNoBrokerAnswersSaysSoInsteadOfTheCallOfTheClient() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      KafkaConnection connection = KafkaConnection.to("127.0.0.1:" + silent.getLocalPort());
      assertThatThrownBy(() ->
              connection.administer(
                  "nothing was removed",
                  admin -> get(admin.deleteTopics(List.of("a.receipts")).all())))
          .hasMessageStartingWith("nothing was removed, as far as is known: Kafka at 127.0.0.1:")
          .hasMessageEndingWith("no broker answers with security.protocol=PLAINTEXT");
    }
  }
}
