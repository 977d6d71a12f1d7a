package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings of a worker and an optimizer that are refused before they connect. */
class SettingsCheckTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "worker | abacus.in.fligth=5 | did you mean 'abacus.in.flight'?",
        "optimizer | optimizer.polycy=paper | did you mean 'optimizer.policy'?",
        "worker | processing.guarantee=at_least_once | exactly-once needs it",
        "worker | producer.enable.idempotence=false | exactly-once needs it",
        "worker | main.consumer.isolation.level=read_uncommitted | exactly-once needs it",
        "worker | transactional.id=mine | exactly-once needs it",
        "worker | acks=1 | exactly-once needs it",
        "optimizer | acks=0 | exactly-once needs it",
        "optimizer | isolation.level=read_uncommitted | exactly-once needs it",
        "optimizer | transactional.id=mine | exactly-once needs it"
      })
  void aSettingThatIsUnknownOrBreaksExactlyOnceEndsTheStartWithExitCode2(
      String command, String setting, String reason) {
    Run run =
        command.equals("worker")
            ? Run.of(
                command,
                "--bootstrap-server",
                "localhost:1",
                "--model-endpoint",
                "http://localhost:1",
                "-X",
                setting)
            : Run.of(command, "--bootstrap-server", "localhost:1", "-X", setting);

    assertThat(run.err()).contains(reason).contains(setting.substring(0, setting.indexOf('=')));
    assertThat(run.exit()).isEqualTo(2);
  }
}
