package dev.abacus.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class AbandonedTransactionsTest {

  /** Kafka's client does so while a broker is away. */
  @Test
  void aFailureOfTheClientDoesNotEndTheSearchForTransactionsOfDeadProcesses() throws Exception {
    CountDownLatch looks = new CountDownLatch(2);
    Admin admin =
        (Admin)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Admin.class},
                (_, _, _) -> {
                  looks.countDown();
                  throw new KafkaException(new IllegalArgumentException("Unexpected key set"));
                });

    new AbandonedTransactions(admin, "application", UUID.randomUUID().toString())
        .abortDuring(() -> looks.getCount() > 0);

    assertThat(looks.await(10, TimeUnit.SECONDS)).isTrue();
  }
}
