package dev.abacus.deploy.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free ports of the loopback interface. Another process may still take them, but no outgoing
 * connection: systems give these ports from 32768 or 49152 on.
 */
public final class Ports {

  private static final int LEAST = 20_000;
  private static final int BELOW = 32_768;
  private static final int ATTEMPTS = 100;

  private Ports() {}

  /** A free port. */
  public static int free() {
    return free(1).getFirst();
  }

  /** Finds distinct free ports. Holds all until the last is found. */
  public static List<Integer> free(int count) {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(open());
      }
      List<Integer> ports = sockets.stream().map(ServerSocket::getLocalPort).toList();
      for (ServerSocket socket : sockets) {
        socket.close();
      }
      return ports;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ServerSocket open() throws IOException {
    for (int attempt = 1; ; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LEAST, BELOW);
      try {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
      } catch (BindException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Returns the port if it is free; fails early otherwise. */
  static int requireFree(int port, String service) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new LocalServiceException(
          "Port %d of %s is in use (%s). Stop the process that uses it, or choose another port."
              .formatted(port, service, e.getMessage()),
          e);
    }
  }
}
