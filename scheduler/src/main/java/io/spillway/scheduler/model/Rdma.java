package io.spillway.scheduler.model;

/** Whether a gang's nodes need one fast fabric. */
public enum Rdma {
  NONE,
  PREFERRED,
  REQUIRED
}
