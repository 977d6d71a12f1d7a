package dev.abacus.schemas.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TopicSchemasTest {

  /** What the registry does when it is asked for the newest version. */
  private interface Latest {
    Schema ask() throws Exception;
  }

  private static final Schema OLD = SchemaBuilder.builder().stringType();
  private static final Schema NEW = SchemaBuilder.builder().longType();

  private final AtomicInteger asked = new AtomicInteger();
  private volatile Instant now = Instant.EPOCH;
  private volatile Latest latest = () -> OLD;

  private final TopicSchemas schemas =
      new TopicSchemas(
          (SchemaRegistry)
              Proxy.newProxyInstance(
                  getClass().getClassLoader(),
                  new Class<?>[] {SchemaRegistry.class},
                  (_, method, arguments) -> {
                    if (!method.getName().equals("latest")) {
                      return null;
                    }
                    asked.incrementAndGet();
                    return new RegisteredSchema((String) arguments[0], 1, 1, latest.ask());
                  }),
          new AvroSerdeConfig(Map.of()),
          () -> now);

  private static Schema away() {
    throw new RegistryException.Unavailable("away", null);
  }

  @Test
  void theNewestVersionIsAskedAgainWhenItsTimeIsUp() {
    assertThat(schemas.newest("t")).isEqualTo(OLD);
    latest = () -> NEW;
    now = now.plusSeconds(59);
    assertThat(schemas.newest("t")).isEqualTo(OLD);
    now = now.plusSeconds(1);
    assertThat(schemas.newest("t")).isEqualTo(NEW);
    assertThat(asked).hasValue(2);
  }

  @Test
  void onlyOneWaitsForASlowRegistryIfTheSchemaIsKnown() throws Exception {
    assertThat(schemas.newest("t")).isEqualTo(OLD);
    CountDownLatch asks = new CountDownLatch(1);
    CountDownLatch answers = new CountDownLatch(1);
    latest =
        () -> {
          asks.countDown();
          answers.await();
          return NEW;
        };
    now = now.plus(Duration.ofMinutes(2));

    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Schema> first = threads.submit(() -> schemas.newest("t"));
      asks.await();
      assertThat(schemas.newest("t")).isEqualTo(OLD);
      answers.countDown();
      assertThat(first.get()).isEqualTo(NEW);
    }
    assertThat(schemas.newest("t")).isEqualTo(NEW);
    assertThat(asked).hasValue(2);
  }

  @Test
  void aRegistryThatIsAwayIsAskedOnceInTheTimeOfTheCache() {
    assertThat(schemas.newest("t")).isEqualTo(OLD);
    latest = TopicSchemasTest::away;
    now = now.plus(Duration.ofMinutes(2));

    assertThat(schemas.newest("t")).isEqualTo(OLD);
    assertThat(schemas.newest("t")).isEqualTo(OLD);
    assertThat(asked).hasValue(2);

    now = now.plus(Duration.ofMinutes(2));
    latest = () -> NEW;
    assertThat(schemas.newest("t")).isEqualTo(NEW);
  }

  @Test
  void whatMustBeNewWaitsForTheRegistryAndTheKnownSchemaStays() {
    assertThat(schemas.newest("t")).isEqualTo(OLD);
    latest = TopicSchemasTest::away;

    assertThatThrownBy(schemas::renew)
        .isInstanceOfSatisfying(RegistryException.class, it -> assertThat(it.retriable()).isTrue());
    assertThat(schemas.newest("t")).isEqualTo(OLD);

    latest = () -> NEW;
    schemas.renew();
    assertThat(schemas.newest("t")).isEqualTo(NEW);
  }
}
