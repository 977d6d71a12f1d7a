package dev.abacus.optimizer.page.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

/** Key stores as a user makes them, with the JDK's keytool. */
final class PageKeyStore {

  private PageKeyStore() {}

  /** A new key store (PKCS #12) with a certificate for 127.0.0.1 that nobody has signed. */
  static Path create(Path folder, String password) throws Exception {
    Path store = folder.resolve("page.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "page",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                password,
                "-keystore",
                store.toString())
            .start();
    assertThat(keytool.waitFor()).isZero();
    return store;
  }
}
