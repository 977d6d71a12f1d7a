package dev.abacus.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramPurgeTest {

  @ParameterizedTest
  @CsvSource({
    "triage, false, true", // versions
    "triage/worker-1, false, true", // status, spending
    "triage/optimizer, false, true",
    "triage-2/worker-1, false, false",
    "other/triage, false, false", // an instance with the name of the program
    "priors/triage, true, true", // learnt
    "learnt/triage/classify, true, true",
    "learnt/other/triage, true, false",
    "triage/other, true, false", // a kind with the name of the program
    "triage, true, false",
  })
  void onlyRecordsOfTheProgramBecomeTombstones(String key, boolean behindKind, boolean own) {
    assertThat(ProgramPurge.isOf("triage", key, behindKind)).isEqualTo(own);
  }
}
