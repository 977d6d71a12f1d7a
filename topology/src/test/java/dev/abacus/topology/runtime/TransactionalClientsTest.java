package dev.abacus.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.Test;

class TransactionalClientsTest {

  @Test
  void aStreamThreadThatWaitsForBrokersForEverGoesOnWhenItsProducerIsGivenUp() throws Exception {
    TransactionalClients clients =
        new TransactionalClients(Commits.ofTransactions(), new StreamThreads(), () -> {});
    Producer<byte[], byte[]> producer =
        clients.getProducer(
            Map.of(
                "bootstrap.servers", "localhost:1",
                "transactional.id", "t",
                "max.block.ms", "600000"));
    Thread stream = Thread.ofPlatform().daemon().start(producer::initTransactions);
    assertThat(stream.join(Duration.ofSeconds(1))).isFalse();

    clients.giveUp();

    assertThat(stream.join(Duration.ofSeconds(20))).isTrue();
  }
}
