"""Measurements, run by hand: how fast the engines are on this machine. Nothing here is a test."""
