package dev.abacus.deploy.local;

/**
 * The libraries of the local stack: a Kafka broker and simulated models. They are an optional part
 * of the distribution, because workers, optimizers and commands for a cluster do not need them.
 */
public final class LocalPart {

  /** What to do if the part is not installed. */
  public static final String REMEDY =
      "Unpack abacus-VERSION-local.tar.gz over this installation (folder local/), or use the Kafka"
          + " of --bootstrap-server.";

  private static final boolean INSTALLED =
      exists("kafka.server.KafkaRaftServer")
          && exists("dev.abacus.deploy.simulator.SimulatedEndpoint");

  private LocalPart() {}

  /** Whether the libraries are on the class path. */
  public static boolean isInstalled() {
    return INSTALLED;
  }

  private static boolean exists(String type) {
    try {
      Class.forName(type, false, LocalPart.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
